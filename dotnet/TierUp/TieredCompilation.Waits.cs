// What     The waits for one method, asynchronous and blocking.
// What not No process-wide waits.
// Threads  [any]
// Failure  See each member. Argument errors are thrown by the call itself, the rest by the task.

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
    /// <summary>Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForFinalCompilationOrCallCountingReadyAsync(RuntimeMethodHandle method)
    {
        return AsyncWait.Begin(method, null, null, CancellationToken.None);
    }

    /// <summary>Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForFinalCompilationOrCallCountingReadyAsync(MethodBase method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return AsyncWait.Begin(MethodArgument.HandleOf(method), method, method, CancellationToken.None);
    }

    /// <summary>Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForFinalCompilationOrCallCountingReadyAsync(Delegate method)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return AsyncWait.Begin(MethodArgument.HandleOf(target), target, method, CancellationToken.None);
    }

    /// <summary>Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <param name="cancellationToken">Ends the wait with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled first (in the task).</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForFinalCompilationOrCallCountingReadyAsync(RuntimeMethodHandle method, CancellationToken cancellationToken)
    {
        return AsyncWait.Begin(method, null, null, cancellationToken);
    }

    /// <summary>Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <param name="cancellationToken">Ends the wait with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled first (in the task).</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForFinalCompilationOrCallCountingReadyAsync(MethodBase method, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(method);
        return AsyncWait.Begin(MethodArgument.HandleOf(method), method, method, cancellationToken);
    }

    /// <summary>Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <param name="cancellationToken">Ends the wait with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled first (in the task).</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForFinalCompilationOrCallCountingReadyAsync(Delegate method, CancellationToken cancellationToken)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return AsyncWait.Begin(MethodArgument.HandleOf(target), target, method, cancellationToken);
    }

    /// <summary>The same wait on the calling thread, which sleeps in native code. Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when the condition holds, false when the time ran out.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool WaitForFinalCompilationOrCallCountingReady(RuntimeMethodHandle method, TimeSpan timeout)
    {
        return BlockingWait.Until(NativeCondition.UntilFinalOrCounting, method, null, null, timeout);
    }

    /// <summary>The same wait on the calling thread, which sleeps in native code. Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when the condition holds, false when the time ran out.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool WaitForFinalCompilationOrCallCountingReady(MethodBase method, TimeSpan timeout)
    {
        ArgumentNullException.ThrowIfNull(method);
        return BlockingWait.Until(NativeCondition.UntilFinalOrCounting, MethodArgument.HandleOf(method), method, method, timeout);
    }

    /// <summary>The same wait on the calling thread, which sleeps in native code. Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when the condition holds, false when the time ran out.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool WaitForFinalCompilationOrCallCountingReady(Delegate method, TimeSpan timeout)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return BlockingWait.Until(NativeCondition.UntilFinalOrCounting, MethodArgument.HandleOf(target), target, method, timeout);
    }

    /// <summary>Waits on the calling thread until the method is final. Others must make the calls that this takes.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when the method is final, false when the time ran out.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool WaitForFinalCompilation(RuntimeMethodHandle method, TimeSpan timeout)
    {
        return BlockingWait.Until(NativeCondition.UntilFinal, method, null, null, timeout);
    }

    /// <summary>Waits on the calling thread until the method is final. Others must make the calls that this takes.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when the method is final, false when the time ran out.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool WaitForFinalCompilation(MethodBase method, TimeSpan timeout)
    {
        ArgumentNullException.ThrowIfNull(method);
        return BlockingWait.Until(NativeCondition.UntilFinal, MethodArgument.HandleOf(method), method, method, timeout);
    }

    /// <summary>Waits on the calling thread until the method is final. Others must make the calls that this takes.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when the method is final, false when the time ran out.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool WaitForFinalCompilation(Delegate method, TimeSpan timeout)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return BlockingWait.Until(NativeCondition.UntilFinal, MethodArgument.HandleOf(target), target, method, timeout);
    }
}
