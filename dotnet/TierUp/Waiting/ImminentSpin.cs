// What     Spins a short while for a promotion that is being compiled, by plain loads on the calling thread.
// What not Does not spin through the call-counting delay, and sleeps nowhere: what takes longer is waited for natively.
// Threads  [any]; between two glances of about 2 µs the thread can be suspended for a collection.
// Why      A small method is compiled in some 50 µs; a native look costs a dozen system calls, and a switch of threads about 100 µs.

using System.Runtime.CompilerServices;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal static class ImminentSpin
{
    /// <summary>Of about 2 µs each: 150 µs, as WaitCore.SpinNanoseconds.</summary>
    private const int MaxGlances = 75;

    /// <summary>Looks on while <paramref name="answer"/> says that a promotion is under way, and returns the last answer seen.</summary>
    [MethodImpl(Code.Untiered)]
    internal static NativeAnswer While(in MethodTarget target, NativeAnswer answer)
    {
        if (!target.IsRegistered)
        {
            return answer;
        }

        for (int i = 0; i < MaxGlances && IsImminent(answer); i++)
        {
            answer = NativeFunctions.GlanceAtMethod(target.Address);
            if (answer.NeedsResolve)
            {
                answer = target.Poll();
            }
        }

        return answer;
    }

    [MethodImpl(Code.Untiered)]
    private static bool IsImminent(NativeAnswer answer)
    {
        return answer.Compilation == NativeAnswer.Optimizing
            && (answer.Reason == MethodStateReason.ThresholdReached || answer.Reason == MethodStateReason.PromotionPending
                || answer.Reason == MethodStateReason.Activating);
    }
}
