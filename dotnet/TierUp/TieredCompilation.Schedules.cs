// What     The call schedules of one method, asynchronous and blocking.
// What not Calls nothing: the caller does.
// Threads  [any]; an enumerator has one consumer.
// Failure  Argument errors are thrown by the call itself, the rest by the enumerator.

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
    /// <summary>The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called: where a compiler inlines your calls (an optimized caller, TieredCompilation=0) the method stays cold and 1 is yielded again and again; mark it NoInlining, or call it through a delegate.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IAsyncEnumerable<int> EnumerateTierPromotionCallCountsAsync(RuntimeMethodHandle method)
    {
        return MethodSchedule.OpenAsync(method, null, null, CancellationToken.None);
    }

    /// <summary>The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called: where a compiler inlines your calls (an optimized caller, TieredCompilation=0) the method stays cold and 1 is yielded again and again; mark it NoInlining, or call it through a delegate.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IAsyncEnumerable<int> EnumerateTierPromotionCallCountsAsync(MethodBase method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return MethodSchedule.OpenAsync(MethodArgument.HandleOf(method), method, method, CancellationToken.None);
    }

    /// <summary>The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called: where a compiler inlines your calls (an optimized caller, TieredCompilation=0) the method stays cold and 1 is yielded again and again; mark it NoInlining, or call it through a delegate.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IAsyncEnumerable<int> EnumerateTierPromotionCallCountsAsync(Delegate method)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return MethodSchedule.OpenAsync(MethodArgument.HandleOf(target), target, method, CancellationToken.None);
    }

    /// <summary>The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <param name="cancellationToken">Ends a pending step with an <see cref="OperationCanceledException"/>, as the token given to the enumerator does.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called: where a compiler inlines your calls (an optimized caller, TieredCompilation=0) the method stays cold and 1 is yielded again and again; mark it NoInlining, or call it through a delegate.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IAsyncEnumerable<int> EnumerateTierPromotionCallCountsAsync(RuntimeMethodHandle method, CancellationToken cancellationToken)
    {
        return MethodSchedule.OpenAsync(method, null, null, cancellationToken);
    }

    /// <summary>The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <param name="cancellationToken">Ends a pending step with an <see cref="OperationCanceledException"/>, as the token given to the enumerator does.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called: where a compiler inlines your calls (an optimized caller, TieredCompilation=0) the method stays cold and 1 is yielded again and again; mark it NoInlining, or call it through a delegate.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IAsyncEnumerable<int> EnumerateTierPromotionCallCountsAsync(MethodBase method, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(method);
        return MethodSchedule.OpenAsync(MethodArgument.HandleOf(method), method, method, cancellationToken);
    }

    /// <summary>The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <param name="cancellationToken">Ends a pending step with an <see cref="OperationCanceledException"/>, as the token given to the enumerator does.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called: where a compiler inlines your calls (an optimized caller, TieredCompilation=0) the method stays cold and 1 is yielded again and again; mark it NoInlining, or call it through a delegate.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IAsyncEnumerable<int> EnumerateTierPromotionCallCountsAsync(Delegate method, CancellationToken cancellationToken)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return MethodSchedule.OpenAsync(MethodArgument.HandleOf(target), target, method, cancellationToken);
    }

    /// <summary>The same schedule on the calling thread. The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">The method, as <see cref="MethodBase.MethodHandle"/> gives it.</param>
    /// <param name="timeoutPerStep">The longest time to wait before each element; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called. A step that takes longer than <paramref name="timeoutPerStep"/> throws <see cref="TimeoutException"/>.</returns>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeoutPerStep"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IEnumerable<int> EnumerateTierPromotionCallCounts(RuntimeMethodHandle method, TimeSpan timeoutPerStep)
    {
        return MethodSchedule.OpenBlocking(method, null, null, timeoutPerStep);
    }

    /// <summary>The same schedule on the calling thread. The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">The method. A method of a collectible load context is kept alive by it while it is watched.</param>
    /// <param name="timeoutPerStep">The longest time to wait before each element; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called. A step that takes longer than <paramref name="timeoutPerStep"/> throws <see cref="TimeoutException"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeoutPerStep"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IEnumerable<int> EnumerateTierPromotionCallCounts(MethodBase method, TimeSpan timeoutPerStep)
    {
        ArgumentNullException.ThrowIfNull(method);
        return MethodSchedule.OpenBlocking(MethodArgument.HandleOf(method), method, method, timeoutPerStep);
    }

    /// <summary>The same schedule on the calling thread. The call schedule that takes the method to its final code: each element is the number of additional calls to the next promotion, yielded when these calls count. Fewer calls are fine: what is left is yielded next. Ends when the method is final; a method that never tiers yields its single cold call (if it is cold) and ends.</summary>
    /// <param name="method">A delegate of the method; the last one of a multicast delegate. A collectible method is kept alive by it while it is watched.</param>
    /// <param name="timeoutPerStep">The longest time to wait before each element; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>The schedule. Each enumerator is independent. It never ends for a method that is not called. A step that takes longer than <paramref name="timeoutPerStep"/> throws <see cref="TimeoutException"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="method"/> is null.</exception>
    /// <exception cref="ArgumentException">The handle is empty or no longer alive, or the method is abstract or an open generic; the message says what to pass.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeoutPerStep"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static IEnumerable<int> EnumerateTierPromotionCallCounts(Delegate method, TimeSpan timeoutPerStep)
    {
        MethodBase target = MethodArgument.MethodOf(method);
        return MethodSchedule.OpenBlocking(MethodArgument.HandleOf(target), target, method, timeoutPerStep);
    }
}
