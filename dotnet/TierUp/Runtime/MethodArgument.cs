// What     From the MethodBase or Delegate that a caller gave to a handle.
// What not Checks nothing of the method itself: MethodTarget does.
// Threads  [any]
// Failure  ArgumentNullException, ArgumentException.
// Source   On a runtime without tiering a reflection object may have no handle at all: it is not asked for one there, and a delegate may have
//          no reflection object: any method stands for it.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.Runtime;

internal static class MethodArgument
{
    [MethodImpl(Code.Untiered)]
    internal static MethodBase MethodOf(Delegate method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return TieringHost.Phase() == HostPhase.NoTiering ? typeof(object).GetMethod(nameof(ToString))! : method.Method;
    }

    [MethodImpl(Code.Untiered)]
    internal static RuntimeMethodHandle HandleOf(MethodBase method)
    {
        return TieringHost.Phase() == HostPhase.NoTiering ? default : MethodReflection.HandleOf(method);
    }
}
