// What     What works in this process, and why not where something doesn't.
// What not Never throws, never starts a thread.
// Threads  Immutable: a picture of the moment.
// Source   tierup_capabilities and tierup_signals in tierup.h, and what the managed side knows of the host and the native library.

using System;
using System.Runtime.CompilerServices;

namespace TierUp;

/// <summary>What the library can do in this process. Every "no" has a reason in words.</summary>
public sealed class TieringCapabilities
{
    [MethodImpl(Code.Untiered)]
    internal TieringCapabilities()
    {
    }

    /// <summary>
    /// Gets a value indicating whether this runtime has tiered compilation. False on NativeAOT and Mono, where every method is final,
    /// every schedule empty and every wait over at once, without native code.
    /// </summary>
    public bool HasTiering { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether polls and waits give answers here.</summary>
    public bool SupportsPolling { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets why polls don't work, or an empty string.</summary>
    public string PollingReason { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets a value indicating whether code versions and their tiers are known (through the runtime's data access library).</summary>
    public bool SupportsTiers { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets why tiers are not known, or an empty string.</summary>
    public string TiersReason { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets the runtime's major version (8, 9, 10, 11), or 0 if no CoreCLR was found.</summary>
    public int RuntimeMajorVersion { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets the runtime's description of itself, for example ".NET 10.0.12".</summary>
    public string RuntimeVersion { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets the path of the runtime library (libcoreclr), or an empty string.</summary>
    public string RuntimePath { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets the path of the data access library that was looked for (libmscordaccore), or an empty string.</summary>
    public string DataAccessPath { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets how foreign memory is copied ("process_vm_readv", "pipe" or "none"), or an empty string.</summary>
    public string CopyDoor { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets the path of the native library in use, or an empty string.</summary>
    public string NativeLibraryPath { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets the version of the native library in use, or an empty string.</summary>
    public string NativeLibraryVersion { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets whether the runtime's own events wake the waits.</summary>
    public SignalsState Signals { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets why signals are not attached, and which value of TierUp.Signals was not understood; or an empty string.</summary>
    public string SignalsReason { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets a value indicating whether the library was loaded by CORECLR_NOTIFICATION_PROFILERS when the process started, and did not need to attach.</summary>
    public bool SignalsLoadedAtStartup { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets how long attaching took; zero where nothing was attached.</summary>
    public TimeSpan SignalsAttachTime { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>
    /// Gets a value indicating whether the runtime's queue of background compilations was found in its memory and has passed every check so far. It is looked for
    /// at the first need, so false with an empty <see cref="QueueViewReason"/> means "not yet".
    /// </summary>
    public bool HasQueueView { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets why there is no queue view, or an empty string.</summary>
    public string QueueViewReason { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>Gets how the queue was found ("pending list", "batch events" or both), or an empty string.</summary>
    public string QueueViewFoundBy { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; } = "";

    /// <summary>
    /// Gets a value indicating whether it is known if the runtime's background worker is at work. Until then
    /// <see cref="TieredCompilation.PendingTieredCompilationCount"/> is at least 1.
    /// </summary>
    public bool IsBatchKnown { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Describes the capabilities in one line for a log.</summary>
    /// <returns>The text.</returns>
    [MethodImpl(Code.Untiered)]
    public override string ToString()
    {
        if (!HasTiering)
        {
            return string.Concat(RuntimeVersion, ": no tiered compilation in this runtime");
        }

        string polling = SupportsPolling ? "polling" : string.Concat("no polling (", PollingReason, ")");
        string tiers = SupportsTiers ? ", tiers" : string.Concat(", no tiers (", TiersReason, ")");
        string signals = SignalsReason.Length == 0 ? "" : string.Concat(" (", SignalsReason, ")");
        return string.Concat(string.Concat(RuntimeVersion, ": ", polling, tiers), ", signals ", TierNames.Of(Signals), signals);
    }
}
