// What     Capabilities and settings as the public objects.
// Threads  [any]
// Failure  Capabilities turns every failure into a reason; Settings throws.
// Source   tierup_capabilities and tierup_settings in tierup.h.

using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal static unsafe class HostDescription
{
    [MethodImpl(Code.Untiered)]
    internal static TieringCapabilities Capabilities()
    {
        string runtimeVersion = RuntimeInformation.FrameworkDescription;
        switch (TieringHost.Phase())
        {
            case HostPhase.Ready:
                return OfLibrary(runtimeVersion);
            case HostPhase.NoTiering:
                return new TieringCapabilities
                {
                    RuntimeVersion = runtimeVersion,
                    SupportsPolling = true,
                    TiersReason = "This runtime has no tiered compilation.",
                    Signals = SignalsState.Unavailable,
                    SignalsReason = "This runtime has no tiered compilation.",
                    QueueViewReason = "This runtime has no tiered compilation.",
                };
            default:
                return new TieringCapabilities
                {
                    HasTiering = true,
                    RuntimeVersion = runtimeVersion,
                    NativeLibraryPath = TieringHost.LibraryPath(),
                    PollingReason = TieringHost.FailureText(),
                    TiersReason = TieringHost.FailureText(),
                    Signals = SignalsState.Unavailable,
                    SignalsReason = TieringHost.FailureText(),
                    QueueViewReason = TieringHost.FailureText(),
                };
        }
    }

    [MethodImpl(Code.Untiered)]
    internal static TieringSettings Settings()
    {
        if (!TieringHost.EnsureStarted())
        {
            return new TieringSettings();
        }

        NativeSettings native = default;
        native.Size = (uint)sizeof(NativeSettings);
        NativeStatus status = NativeFunctions.GetSettings(&native);
        if (status != NativeStatus.Ok)
        {
            throw Errors.Unexpected("read the settings", status);
        }

        return new TieringSettings
        {
            TieredCompilation = native.TieredCompilation != 0,
            QuickJit = native.QuickJit != 0,
            QuickJitForLoops = native.QuickJitForLoops != 0,
            TieredPgo = native.TieredPgo != 0,
            InstrumentOnlyHotCode = native.InstrumentOnlyHotCode != 0,
            CallCounting = native.CallCounting != 0,
            CallCountingStubs = native.CallCountingStubs != 0,
            OnStackReplacement = native.Osr != 0,
            CallCountThreshold = (int)native.CallCountThreshold,
            CallCountingDelay = new TimeSpan(native.CallCountingDelayMs * TimeSpan.TicksPerMillisecond),
            BackgroundWorkerTimeout = new TimeSpan(native.BackgroundWorkerTimeoutMs * TimeSpan.TicksPerMillisecond),
        };
    }

    [MethodImpl(Code.Untiered)]
    private static TieringCapabilities OfLibrary(string runtimeVersion)
    {
        NativeCapabilities native = default;
        native.Size = (uint)sizeof(NativeCapabilities);
        NativeStatus status = NativeFunctions.GetCapabilities(&native);
        bool isKnown = status == NativeStatus.Ok;
        string failure = isKnown ? "" : Errors.Unexpected("tell its capabilities", status).Message;
        SignalsDescription signals = SignalsDescription.Read();
        return new TieringCapabilities
        {
            HasTiering = true,
            SupportsPolling = native.Polls != 0,
            PollingReason = isKnown ? NativeText.Read(native.PollsReason) : failure,
            SupportsTiers = native.Tiers != 0,
            TiersReason = isKnown ? NativeText.Read(native.TiersReason) : failure,
            RuntimeMajorVersion = native.RuntimeMajor,
            RuntimeVersion = runtimeVersion,
            RuntimePath = NativeText.Read(native.RuntimePath),
            DataAccessPath = NativeText.Read(native.DacPath),
            CopyDoor = NativeText.Read(native.CopyDoor),
            NativeLibraryPath = TieringHost.LibraryPath(),
            NativeLibraryVersion = NativeText.Read(NativeFunctions.Version()),
            Signals = signals.State,
            SignalsReason = signals.StateReason,
            SignalsLoadedAtStartup = signals.IsLoadedAtStartup,
            SignalsAttachTime = signals.AttachTime,
            HasQueueView = signals.HasQueueView,
            QueueViewReason = signals.QueueViewReason,
            QueueViewFoundBy = signals.FoundBy,
            IsBatchKnown = signals.IsBatchKnown,
        };
    }
}
