// What     The proposal's members on RuntimeHelpers, spelled as proposed: C# 14 static extension members.
// What not Nothing of its own: each forwards to TieredCompilation. On the day a runtime ships the real members, the compiler binds to those.
// Threads  [any]
// Failure  See TieredCompilation.
// Source   dotnet/runtime#129020.

using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using TierUp;

namespace System.Runtime.CompilerServices;

#pragma warning disable CA1034 // An extension block is not a nested type that anyone names.
/// <summary>The tiering members that dotnet/runtime#129020 proposes for <see cref="RuntimeHelpers"/>.</summary>
public static class RuntimeHelpersTieringExtensions
{
    extension(RuntimeHelpers)
    {
        /// <summary>Polls how far the method has come. Never triggers jitting or counting; tens of nanoseconds for a method asked about before.</summary>
        /// <param name="method">The method, as <see cref="System.Reflection.MethodBase.MethodHandle"/> gives it.</param>
        /// <returns>The status.</returns>
        /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
        /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
        /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
        /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
        [MethodImpl(Code.Untiered)]
        public static MethodCompilationStatus GetMethodCompilationStatus(RuntimeMethodHandle method)
        {
            return TieredCompilation.GetMethodCompilationStatus(method);
        }

        /// <summary>Polls how many additional calls reach the next promotion. With several threads calling it is a lower bound, because the runtime does not count every call then.</summary>
        /// <param name="method">The method, as <see cref="System.Reflection.MethodBase.MethodHandle"/> gives it.</param>
        /// <returns>1 when cold, the calls left in this counting phase, or 0 when final, counted out or not counted.</returns>
        /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
        /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
        /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
        /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
        [MethodImpl(Code.Untiered)]
        public static int GetCallsToNextTierPromotion(RuntimeMethodHandle method)
        {
            return TieredCompilation.GetCallsToNextTierPromotion(method);
        }

        /// <summary>Polls whether no better code will come for the method (dotnet/runtime#99870).</summary>
        /// <param name="method">The method, as <see cref="System.Reflection.MethodBase.MethodHandle"/> gives it.</param>
        /// <returns>Whether the status is <see cref="MethodCompilationStatus.Final"/>.</returns>
        /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
        /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
        /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
        /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
        [MethodImpl(Code.Untiered)]
        public static bool IsMethodFullyOptimized(RuntimeMethodHandle method)
        {
            return TieredCompilation.IsMethodFullyOptimized(method);
        }

        /// <summary>Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
        /// <param name="method">The method, as <see cref="System.Reflection.MethodBase.MethodHandle"/> gives it.</param>
        /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
        /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
        /// <exception cref="TieringStateUnknownException">The state can't be decided; the message says why and what to do.</exception>
        /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
        /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
        [MethodImpl(Code.Untiered)]
        public static ValueTask WaitForFinalCompilationOrCallCountingReadyAsync(RuntimeMethodHandle method)
        {
            return TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(method);
        }

        /// <summary>Waits until the method is final, or until every promotion its calls have asked for is published and its next call is counted. It never waits for a promotion that was not called for, so a cold method is ready at once.</summary>
        /// <param name="method">The method, as <see cref="System.Reflection.MethodBase.MethodHandle"/> gives it.</param>
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
            return TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(method, cancellationToken);
        }

        /// <summary>The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
        /// <param name="method">The method, as <see cref="System.Reflection.MethodBase.MethodHandle"/> gives it.</param>
        /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called: where a compiler inlines your calls (an optimized caller, TieredCompilation=0) the method stays cold and 1 is yielded again and again; mark it NoInlining, or call it through a delegate.</returns>
        /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
        /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
        /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
        [MethodImpl(Code.Untiered)]
        public static IAsyncEnumerable<int> EnumerateTierPromotionCallCountsAsync(RuntimeMethodHandle method)
        {
            return TieredCompilation.EnumerateTierPromotionCallCountsAsync(method);
        }

        /// <summary>The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
        /// <param name="method">The method, as <see cref="System.Reflection.MethodBase.MethodHandle"/> gives it.</param>
        /// <param name="cancellationToken">Ends a pending step with an <see cref="OperationCanceledException"/>, as the token given to the enumerator does.</param>
        /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called: where a compiler inlines your calls (an optimized caller, TieredCompilation=0) the method stays cold and 1 is yielded again and again; mark it NoInlining, or call it through a delegate.</returns>
        /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
        /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
        /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
        [MethodImpl(Code.Untiered)]
        public static IAsyncEnumerable<int> EnumerateTierPromotionCallCountsAsync(RuntimeMethodHandle method, CancellationToken cancellationToken)
        {
            return TieredCompilation.EnumerateTierPromotionCallCountsAsync(method, cancellationToken);
        }

        /// <summary>Waits until no call-counting delay is active and the calls of the methods that the last one held are counted. Over at once where there is no delay.</summary>
        /// <remarks>Methods that are called for the first time begin a delay, and extend an active one; calls made during it do not count towards a promotion. The first process-wide wait of a process attaches signals and calls one method of the library's own for the first time, which begins (or extends) one call-counting delay.</remarks>
        /// <returns>A task to await once. Continuations run on the thread pool or the awaiter's context.</returns>
        /// <exception cref="TieringStateUnknownException">This process can't be watched (in the task, where there is one); the message says why.</exception>
        /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
        /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
        [MethodImpl(Code.Untiered)]
        public static ValueTask WaitForTieredCompilationActive()
        {
            return TieredCompilation.WaitForTieredCompilationActive();
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
            return TieredCompilation.WaitForTieredCompilationActive(cancellationToken);
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
            return TieredCompilation.WaitForPendingCompilations();
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
            return TieredCompilation.WaitForPendingCompilations(cancellationToken);
        }

        /// <summary>Gets how many background compilations are pending: methods that were called often enough, the queued ones, and the one being compiled. 0 means that the background worker has nothing to do.</summary>
        /// <remarks>A few loads and no allocation. A number above 0 may be off by those in motion; 0 is exact. See <see cref="TieredCompilation.PendingTieredCompilationCount"/> for what the first use does.</remarks>
        /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
        /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
        public static int PendingTieredCompilationCount
        {
            [MethodImpl(Code.Untiered)]
            get { return TieredCompilation.PendingTieredCompilationCount; }
        }
    }
}
