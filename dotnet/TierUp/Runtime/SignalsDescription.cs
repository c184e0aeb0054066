// What     How the signals stand, as strings and numbers for Capabilities and messages.
// What not Asks for nothing: reading never attaches.
// Threads  [any]
// Failure  A library without signals is a state with a reason.
// Source   tierup_signals in tierup.h.

using System;
using System.Runtime.CompilerServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal sealed unsafe class SignalsDescription
{
    private const ulong NanosecondsPerTick = 100;

    [MethodImpl(Code.Untiered)]
    private SignalsDescription(SignalsState state, string stateReason, string queueViewReason)
    {
        State = state;
        StateReason = stateReason;
        QueueViewReason = queueViewReason;
    }

    internal SignalsState State { [MethodImpl(Code.Untiered)] get; }

    internal string StateReason { [MethodImpl(Code.Untiered)] get; }

    internal string QueueViewReason { [MethodImpl(Code.Untiered)] get; }

    internal string FoundBy { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private init; } = "";

    internal bool HasQueueView { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private init; }

    internal bool IsBatchKnown { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private init; }

    internal bool IsLoadedAtStartup { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private init; }

    internal TimeSpan AttachTime { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private init; }

    [MethodImpl(Code.Untiered)]
    internal static SignalsDescription Read()
    {
        if (!SignalFunctions.AreBound)
        {
            string why = Errors.OlderLibrary().Message;
            return new SignalsDescription(SignalsState.Unavailable, why, why);
        }

        NativeSignals signals = SignalFunctions.ReadSignals();
        return new SignalsDescription((SignalsState)signals.State, ReasonOf(signals), NativeText.Read(signals.QueueViewReason))
        {
            FoundBy = NativeText.Read(signals.FoundBy),
            HasQueueView = signals.QueueView != 0,
            IsBatchKnown = signals.BatchKnown != 0,
            IsLoadedAtStartup = signals.LoadedAtStartup != 0,
            AttachTime = new TimeSpan((long)(signals.AttachNs / NanosecondsPerTick)),
        };
    }

    /// <summary>A sentence for a message, never empty.</summary>
    [MethodImpl(Code.Untiered)]
    internal static string WhyNoQueueView()
    {
        SignalsDescription signals = Read();
        string queue = signals.QueueViewReason.Length == 0 ? "the runtime's queue was not found" : signals.QueueViewReason;
        return signals.StateReason.Length == 0 ? queue : string.Concat(queue, "; signals: ", signals.StateReason);
    }

    [MethodImpl(Code.Untiered)]
    private static string ReasonOf(in NativeSignals signals)
    {
        string reason = NativeText.Read(signals.StateReason);
        if (reason.Length == 0 && signals.State == (byte)SignalsState.Disabled)
        {
            reason = "TierUp.Signals is Off.";
        }

        string remark = SignalsSetting.Remark;
        return remark.Length == 0 ? reason : reason.Length == 0 ? remark : string.Concat(remark, " ", reason);
    }
}
