// What     What a schedule does next, given a method's state.
// What not Asks nothing, waits for nothing: a pure function.
// Threads  [any]
// Source   The proposal (dotnet/runtime#129020): cold yields 1; the rest of a counting phase is yielded; final ends; a class constructor is not driven.

using System.Runtime.CompilerServices;
using TierUp.Native;

namespace TierUp.Waiting;

internal static class PromotionStep
{
    internal const int Yield = 0;
    internal const int End = 1;
    internal const int Wait = 2;
    internal const int Unknown = 3;

    /// <summary>How often a wait may say "ready" while the state says "wait", before the state counts as unknown: a bound, not a tuning value.</summary>
    internal const int MaxDisagreements = 1000;

    [MethodImpl(Code.Untiered)]
    internal static int Of(NativeAnswer answer, bool isClassConstructor, out int calls)
    {
        calls = 0;
        switch (answer.Compilation)
        {
            case NativeAnswer.Cold:
                calls = 1;
                return isClassConstructor ? End : Yield;
            case NativeAnswer.Final:
                return End;
            case NativeAnswer.Optimizing:
                return isClassConstructor || answer.Reason == MethodStateReason.ClassConstructor ? End : OfCounting(answer, out calls);
            default:
                return Unknown;
        }
    }

    [MethodImpl(Code.Untiered)]
    private static int OfCounting(NativeAnswer answer, out int calls)
    {
        calls = answer.RemainingCalls;
        bool isCounting = answer.Reason == MethodStateReason.Counting || answer.Reason == MethodStateReason.CountingAtNextCall
            || answer.Reason == MethodStateReason.CountingInPrestub;
        return isCounting && calls > 0 ? Yield : Wait;
    }
}
