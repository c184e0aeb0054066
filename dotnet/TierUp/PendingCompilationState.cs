// What     Where a pending background compilation stands.
// Threads  Values only.
// Source   tierup_pending_state in tierup.h, by name and value. Test: HeaderMirrorTests.

namespace TierUp;

/// <summary>Where a pending background compilation stands.</summary>
public enum PendingCompilationState
{
    /// <summary>Not said.</summary>
    None = 0,

    /// <summary>The method was called often enough; the background worker has not put it into its queue yet.</summary>
    ThresholdReached = 1,

    /// <summary>It stands in the queue.</summary>
    Queued = 2,

    /// <summary>The background worker has taken it out of the queue; its code is not behind the entry point yet.</summary>
    Compiling = 3,
}
