// What     One method that the stage drives by name: the benchmark's own, its state machine, its lambda, the overhead twin.
// What not No callees: those are seen as publications only.
// Threads  The engine's.
// Failure  A state that the library can't tell is no reason to go on calling: the target is given up.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal sealed class Target
{
    private readonly MethodBase _method;
    private int _callsBefore = -1;
    private nint _codeBefore;

    [MethodImpl(Untiered.Code)]
    internal Target(MethodBase method)
    {
        _method = method;
    }

    /// <summary>Null until the first look, and where the library can't tell at all.</summary>
    internal MethodState? State { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    /// <summary>Driving it is of no use: nothing calls it (inlined), or its state can't be told.</summary>
    internal bool IsGivenUp { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal bool IsCold
    {
        [MethodImpl(Untiered.Code)]
        get { return State is not null && State.Status == MethodCompilationStatus.Cold; }
    }

    internal bool IsFinal
    {
        [MethodImpl(Untiered.Code)]
        get { return State is not null && State.Status == MethodCompilationStatus.Final; }
    }

    /// <summary>Final, or nothing more can be done.</summary>
    internal bool IsDone
    {
        [MethodImpl(Untiered.Code)]
        get { return IsGivenUp || IsFinal; }
    }

    internal int CallsWanted
    {
        [MethodImpl(Untiered.Code)]
        get { return IsDone || State is null ? 0 : State.CallsToNextTierPromotion; }
    }

    /// <summary>Looks at it. After a round whose calls counted, a count that did not move belongs to a method that nothing calls any more.</summary>
    [MethodImpl(Untiered.Code)]
    internal void Look(bool afterCountedRound)
    {
        try
        {
            State = TieredCompilation.GetMethodState(_method);
        }
        catch (ArgumentException)
        {
            State = null;
        }

        if (State is null || !State.Status.HasValue)
        {
            IsGivenUp = true;
            return;
        }

        // The next version begins with the same count again, so it has to be the same code's.
        bool isSame = State.ActiveCode == _codeBefore && State.CallsToNextTierPromotion == _callsBefore;
        IsGivenUp = afterCountedRound && isSame && !IsFinal && State.CallsToNextTierPromotion > 0 && IsCountedNow(State.Reason);
        _codeBefore = State.ActiveCode;
        _callsBefore = State.CallsToNextTierPromotion;
    }

    // In other phases a number that stands still says nothing: the delay holds it, or it is an upper bound.
    [MethodImpl(Untiered.Code)]
    private static bool IsCountedNow(MethodStateReason reason)
    {
        return reason is MethodStateReason.Counting or MethodStateReason.CountingAtNextCall or MethodStateReason.NeverCalled or MethodStateReason.ClassConstructor;
    }
}
