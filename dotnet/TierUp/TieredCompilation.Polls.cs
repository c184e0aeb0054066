// What     The polls: status, calls to the next promotion, explained state.
// What not Waits for nothing, allocates nothing (but GetMethodState and a first call).
// Threads  [any]
// Failure  See each member.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Waiting;

namespace TierUp;

public static partial class TieredCompilation
{
    /// <summary>Polls how far the method has come. Never triggers jitting or counting; tens of nanoseconds for a method asked about before.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <returns>The status.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static MethodCompilationStatus GetMethodCompilationStatus(RuntimeMethodHandle method)
    {
        return MethodPoll.Status(method, null);
    }

    /// <summary>Polls how far the method has come. Never triggers jitting or counting; tens of nanoseconds for a method asked about before.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <returns>The status.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static MethodCompilationStatus GetMethodCompilationStatus(MethodBase method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return MethodPoll.Status(MethodArgument.HandleOf(method), method);
    }

    /// <summary>Polls how far the method has come. Never triggers jitting or counting; tens of nanoseconds for a method asked about before.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <returns>The status.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static MethodCompilationStatus GetMethodCompilationStatus(Delegate method)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return MethodPoll.Status(MethodArgument.HandleOf(target), target);
    }

    /// <summary>Polls how many additional calls reach the next promotion. With several threads calling it is a lower bound, because the runtime does not count every call then.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <returns>1 when cold, the calls left in this counting phase, or 0 when final, counted out or not counted.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static int GetCallsToNextTierPromotion(RuntimeMethodHandle method)
    {
        return MethodPoll.Answer(method, null).RemainingCalls;
    }

    /// <summary>Polls how many additional calls reach the next promotion. With several threads calling it is a lower bound, because the runtime does not count every call then.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <returns>1 when cold, the calls left in this counting phase, or 0 when final, counted out or not counted.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static int GetCallsToNextTierPromotion(MethodBase method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return MethodPoll.Answer(MethodArgument.HandleOf(method), method).RemainingCalls;
    }

    /// <summary>Polls how many additional calls reach the next promotion. With several threads calling it is a lower bound, because the runtime does not count every call then.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <returns>1 when cold, the calls left in this counting phase, or 0 when final, counted out or not counted.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static int GetCallsToNextTierPromotion(Delegate method)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return MethodPoll.Answer(MethodArgument.HandleOf(target), target).RemainingCalls;
    }

    /// <summary>Polls whether no better code will come for the method (dotnet/runtime#99870).</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <returns>Whether the status is <see cref="MethodCompilationStatus.Final"/>.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool IsMethodFullyOptimized(RuntimeMethodHandle method)
    {
        return MethodPoll.Status(method, null) == MethodCompilationStatus.Final;
    }

    /// <summary>Polls whether no better code will come for the method (dotnet/runtime#99870).</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <returns>Whether the status is <see cref="MethodCompilationStatus.Final"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool IsMethodFullyOptimized(MethodBase method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return MethodPoll.Status(MethodArgument.HandleOf(method), method) == MethodCompilationStatus.Final;
    }

    /// <summary>Polls whether no better code will come for the method (dotnet/runtime#99870).</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <returns>Whether the status is <see cref="MethodCompilationStatus.Final"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool IsMethodFullyOptimized(Delegate method)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return MethodPoll.Status(MethodArgument.HandleOf(target), target) == MethodCompilationStatus.Final;
    }

    /// <summary>Explains the method's state: the status with its reason, the tier, and the code versions the runtime has made. Takes microseconds; for people and logs.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <returns>A snapshot. Where the state can't be decided its <see cref="MethodState.Status"/> is null; that is not an exception here.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static MethodState GetMethodState(RuntimeMethodHandle method)
    {
        return MethodStateReader.Read(method, null, null);
    }

    /// <summary>Explains the method's state: the status with its reason, the tier, and the code versions the runtime has made. Takes microseconds; for people and logs.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <returns>A snapshot. Where the state can't be decided its <see cref="MethodState.Status"/> is null; that is not an exception here.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static MethodState GetMethodState(MethodBase method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return MethodStateReader.Read(MethodArgument.HandleOf(method), method, method);
    }

    /// <summary>Explains the method's state: the status with its reason, the tier, and the code versions the runtime has made. Takes microseconds; for people and logs.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <returns>A snapshot. Where the state can't be decided its <see cref="MethodState.Status"/> is null; that is not an exception here.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static MethodState GetMethodState(Delegate method)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return MethodStateReader.Read(MethodArgument.HandleOf(target), target, method);
    }
}
