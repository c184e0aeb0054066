// What     The process-wide members: waits for the call-counting delay and for pending compilations, their count and their list.
// What not Nothing of single methods.
// Threads  [any]
// Failure  See each member.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Signals;
using TierUp.Waiting;

namespace TierUp;

public static partial class TieredCompilation
{
    /// <summary>Waits until no call-counting delay is active and the calls of the methods that the last one held are counted. Over at once where there is no delay.</summary>
    /// <remarks>Methods that are called for the first time begin a delay, and extend an active one; calls made during it do not count towards a promotion. The first process-wide wait of a process attaches signals and calls one method of the library's own for the first time, which begins (or extends) one call-counting delay.</remarks>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="TieringStateUnknownException">This process can't be watched (in the task, where there is one); the message says why.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForTieredCompilationActive()
    {
        return ProcessWait.Begin(NativeCondition.UntilTieringActive, CancellationToken.None);
    }

    /// <summary>Waits until no call-counting delay is active and the calls of the methods that the last one held are counted. Over at once where there is no delay.</summary>
    /// <remarks>Methods that are called for the first time begin a delay, and extend an active one; calls made during it do not count towards a promotion. The first process-wide wait of a process attaches signals and calls one method of the library's own for the first time, which begins (or extends) one call-counting delay.</remarks>
    /// <param name="cancellationToken">Ends the wait with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="TieringStateUnknownException">This process can't be watched (in the task, where there is one); the message says why.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled first (in the task).</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForTieredCompilationActive(CancellationToken cancellationToken)
    {
        return ProcessWait.Begin(NativeCondition.UntilTieringActive, cancellationToken);
    }

    /// <summary>The same wait on the calling thread, which sleeps in native code. Waits until no call-counting delay is active and the calls of the methods that the last one held are counted. Over at once where there is no delay.</summary>
    /// <remarks>Methods that are called for the first time begin a delay, and extend an active one; calls made during it do not count towards a promotion. The first process-wide wait of a process attaches signals and calls one method of the library's own for the first time, which begins (or extends) one call-counting delay.</remarks>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when the condition holds, false when the time ran out.</returns>
    /// <exception cref="TieringStateUnknownException">This process can't be watched (in the task, where there is one); the message says why.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool WaitForTieredCompilationActive(TimeSpan timeout)
    {
        return ProcessWait.Block(NativeCondition.UntilTieringActive, timeout);
    }

    /// <summary>Waits until every background compilation that was pending has been published and calls enter its code, and none is pending. Compilations that are queued meanwhile may extend the wait.</summary>
    /// <remarks>A call-counting delay that is active holds pending compilations back, and so this wait. It does not wait for methods that have not been called often enough. The first process-wide wait of a process attaches signals and calls one method of the library's own for the first time, which begins (or extends) one call-counting delay.</remarks>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="TieringStateUnknownException">This process can't be watched (in the task, where there is one); the message says why.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForPendingCompilations()
    {
        return ProcessWait.Begin(NativeCondition.UntilNoPending, CancellationToken.None);
    }

    /// <summary>Waits until every background compilation that was pending has been published and calls enter its code, and none is pending. Compilations that are queued meanwhile may extend the wait.</summary>
    /// <remarks>A call-counting delay that is active holds pending compilations back, and so this wait. It does not wait for methods that have not been called often enough. The first process-wide wait of a process attaches signals and calls one method of the library's own for the first time, which begins (or extends) one call-counting delay.</remarks>
    /// <param name="cancellationToken">Ends the wait with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
    /// <exception cref="TieringStateUnknownException">This process can't be watched (in the task, where there is one); the message says why.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled first (in the task).</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static ValueTask WaitForPendingCompilations(CancellationToken cancellationToken)
    {
        return ProcessWait.Begin(NativeCondition.UntilNoPending, cancellationToken);
    }

    /// <summary>The same wait on the calling thread, which sleeps in native code. Waits until every background compilation that was pending has been published and calls enter its code, and none is pending. Compilations that are queued meanwhile may extend the wait.</summary>
    /// <remarks>A call-counting delay that is active holds pending compilations back, and so this wait. It does not wait for methods that have not been called often enough. The first process-wide wait of a process attaches signals and calls one method of the library's own for the first time, which begins (or extends) one call-counting delay.</remarks>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when the condition holds, false when the time ran out.</returns>
    /// <exception cref="TieringStateUnknownException">This process can't be watched (in the task, where there is one); the message says why.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static bool WaitForPendingCompilations(TimeSpan timeout)
    {
        return ProcessWait.Block(NativeCondition.UntilNoPending, timeout);
    }

    /// <summary>Gets how many background compilations are pending: methods that were called often enough, the queued ones, and the one being compiled. 0 means that the background worker has nothing to do.</summary>
    /// <remarks>
    /// A few loads and no allocation. A number above 0 may be off by those in motion; 0 is exact. Until the library knows whether the worker is at work it is at least 1:
    /// the first use attaches signals and calls one method of the library's own for the first time, which begins a call-counting delay, and it is known at that delay's end.
    /// 0 where nothing is ever promoted (NativeAOT, Mono, tiered compilation or call counting off). Compilations wait while a call-counting delay is active; see <see cref="WaitForTieredCompilationActive()"/>.
    /// </remarks>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    public static int PendingTieredCompilationCount
    {
        [MethodImpl(Code.Untiered)]
        get { return PendingWork.Count(); }
    }

    /// <summary>Lists the background compilations that are pending now: the one being compiled, the queue in its order, then those whose method was called often enough and which are not queued yet.</summary>
    /// <returns>A picture of the moment; the runtime goes on meanwhile. Empty where nothing is ever promoted.</returns>
    /// <exception cref="NotSupportedException">The runtime's queue was not found (yet) in this process; the message says why. <see cref="TieringCapabilities.HasQueueView"/> tells so beforehand.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IReadOnlyList<PendingCompilation> GetPendingCompilations()
    {
        return PendingWork.List();
    }

    /// <summary>
    /// Attaches signals now, so that the first process-wide wait or event stream finds them. Returns at once; <see cref="TieringCapabilities.Signals"/> tells how it went.
    /// Does nothing where TierUp.Signals is Off, and where there is no tiered compilation.
    /// </summary>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static void RequestSignals()
    {
        if (!TieringHost.EnsureStarted())
        {
            return;
        }

        if (!SignalFunctions.AreBound)
        {
            throw Errors.OlderLibrary();
        }

        Calibration.Request();
    }
}
