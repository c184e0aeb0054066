// What     What a tiering event tells.
// Threads  Values only.
// Source   tierup_event_kind in tierup.h, by name and value. Test: HeaderMirrorTests.

namespace TierUp;

/// <summary>What a <see cref="TieringEvent"/> tells.</summary>
public enum TieringEventKind
{
    /// <summary>No event.</summary>
    None = 0,

    /// <summary>A promotion stands in the queue; <see cref="TieringEvent.Tier"/> is its target. Told at the background worker's next step, at latest before it compiles it.</summary>
    Queued = 1,

    /// <summary>The compiler has begun. Only with <see cref="TieringEventsOptions.IncludeNames"/>; <see cref="TieringEvent.Count"/> is the size of the IL in bytes.</summary>
    JitStarted = 2,

    /// <summary>Native code exists: <see cref="TieringEvent.Code"/>, <see cref="TieringEvent.CodeSize"/>, <see cref="TieringEvent.Tier"/>. The entry point is switched right after.</summary>
    Published = 3,

    /// <summary>Calls enter the code of a background promotion. Told at the background worker's next step.</summary>
    Activated = 4,

    /// <summary>A background compilation ended without its code being used (very large methods).</summary>
    Discarded = 5,

    /// <summary>A call-counting delay began.</summary>
    DelayBegan = 6,

    /// <summary>It ended; <see cref="TieringEvent.Count"/> methods were called for the first time during it.</summary>
    DelayEnded = 7,

    /// <summary>The background worker begins; <see cref="TieringEvent.Count"/> compilations are pending.</summary>
    BatchBegan = 8,

    /// <summary>The background worker stops for now; <see cref="TieringEvent.Count"/> are still pending, <see cref="TieringEvent.JittedCount"/> were compiled.</summary>
    BatchEnded = 9,

    /// <summary>Bounded streams only: <see cref="TieringEvent.Count"/> events found no room at this place.</summary>
    Gap = 10,
}
