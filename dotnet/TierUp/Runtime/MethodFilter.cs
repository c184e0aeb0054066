// What     Refuses methods that never have code, and says what reflection knows of the others.
// What not Does not look at state.
// Threads  [any]
// Failure  ArgumentException for abstract and open generic methods.
// Source   Kinds: tierup_kind in tierup.h. Async: MethodImplAttributes 0x2000, System.Runtime of .NET 11 (MethodImplOptions.Async).

using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace TierUp.Runtime;

internal static class MethodFilter
{
    // The reference assemblies of .NET 8 and 10 don't name it yet.
    private const MethodImplAttributes AsyncFlag = (MethodImplAttributes)0x2000;

    [MethodImpl(Code.Untiered)]
    internal static MethodKinds KindsOf(MethodBase method)
    {
        if (method.ContainsGenericParameters)
        {
            throw Errors.OpenGeneric(method);
        }

        if (method.IsAbstract)
        {
            throw Errors.Abstract(method);
        }

        if (method is DynamicMethod)
        {
            return MethodKinds.Dynamic;
        }

        MethodKinds kinds = MethodKinds.None;
        // Constructors of 8.0 and 9.0 don't override IsCollectible and always say true; they belong to their type's load context.
        if (method is ConstructorInfo ? method.DeclaringType!.IsCollectible : method.IsCollectible)
        {
            kinds |= MethodKinds.Collectible;
        }

        if (method.IsStatic && method is ConstructorInfo)
        {
            kinds |= MethodKinds.ClassConstructor;
        }

        return kinds | KindsOfImplementation(method);
    }

    [MethodImpl(Code.Untiered)]
    private static MethodKinds KindsOfImplementation(MethodBase method)
    {
        MethodImplAttributes implementation = method.GetMethodImplementationFlags();
        MethodKinds kinds = (implementation & AsyncFlag) != 0 ? MethodKinds.RuntimeAsync : MethodKinds.None;
        // Array accessors have the flags of IL methods; the type tells.
        bool isNotIL = (implementation & MethodImplAttributes.CodeTypeMask) != MethodImplAttributes.IL
            || (implementation & MethodImplAttributes.InternalCall) != 0
            || (method.Attributes & MethodAttributes.PinvokeImpl) != 0
            || method.DeclaringType is { IsArray: true };
        return isNotIL ? kinds | MethodKinds.NotIL : kinds;
    }
}
