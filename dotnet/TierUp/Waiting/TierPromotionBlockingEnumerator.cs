// What     Walks a method's call schedule on the calling thread.
// What not Calls nothing, and never waits for a promotion that was not called for.
// Threads  One consumer, as every enumerator.
// Failure  TimeoutException when one step takes longer than allowed; TieringStateUnknownException. The schedule is over then.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal sealed class TierPromotionBlockingEnumerator : IEnumerator<int>
{
    private readonly RuntimeMethodHandle _handle;
    private readonly object? _owner;
    private readonly MethodTarget _target;
    private readonly TimeSpan _timeoutPerStep;
    private readonly bool _isClassConstructor;
    private bool _isOver;

    [MethodImpl(Code.Untiered)]
    internal TierPromotionBlockingEnumerator(in MethodTarget target, RuntimeMethodHandle handle, object? owner, TimeSpan timeoutPerStep)
    {
        _target = target;
        _handle = handle;
        _owner = owner;
        _timeoutPerStep = timeoutPerStep;
        _isClassConstructor = target.IsClassConstructor;
    }

    /// <inheritdoc/>
    public int Current { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private set; }

    object IEnumerator.Current
    {
        [MethodImpl(Code.Untiered)]
        get { return Current; }
    }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public bool MoveNext()
    {
        if (_isOver)
        {
            return false;
        }

        // Over unless a step says otherwise: after an exception there is no way on.
        _isOver = true;
        bool hasNext = Advance();
        _isOver = !hasNext;
        GC.KeepAlive(_owner);
        return hasNext;
    }

    /// <summary>Not supported, as for the enumerators that C# makes.</summary>
    [MethodImpl(Code.Untiered)]
    public void Reset()
    {
        throw new NotSupportedException("Enumerate the sequence again instead.");
    }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public void Dispose()
    {
        _isOver = true;
    }

    [MethodImpl(Code.Untiered)]
    private bool Advance()
    {
        WaitBudget budget = new WaitBudget(_timeoutPerStep, "timeoutPerStep");
        NativeAnswer answer = ImminentSpin.While(_target, _target.Poll());
        for (int disagreements = 0; disagreements <= PromotionStep.MaxDisagreements; disagreements++)
        {
            switch (PromotionStep.Of(answer, _isClassConstructor, out int calls))
            {
                case PromotionStep.Yield:
                    Current = calls;
                    return true;
                case PromotionStep.End:
                    return false;
                case PromotionStep.Unknown:
                    throw Errors.Undecided(answer.Reason, _target.FindMethod(_handle));
                default:
                    break;
            }

            if (!BlockingWait.Until(NativeCondition.UntilFinalOrCounting, _target, _handle, budget, out answer))
            {
                throw new TimeoutException(
                    string.Concat(
                        "The method's calls were not counted, and its promotion not published, within ",
                        _timeoutPerStep.TotalMilliseconds.ToString(CultureInfo.InvariantCulture),
                        " ms. Fresh activity extends the call-counting delay; allow more time per step or make the process quieter."));
            }
        }

        throw Errors.Undecided(MethodStateReason.MemoryChanged, _target.FindMethod(_handle));
    }
}
