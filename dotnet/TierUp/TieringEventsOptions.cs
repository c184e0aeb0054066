// What     How a stream of tiering events is opened.
// Threads  Immutable once made.
// Failure  ArgumentOutOfRangeException for a negative capacity.
// Source   tierup_events_options in tierup.h.

using System;
using System.Runtime.CompilerServices;

namespace TierUp;

/// <summary>How a stream of tiering events is opened.</summary>
public sealed class TieringEventsOptions
{
    /// <summary>Creates the options: without names, unbounded.</summary>
    [MethodImpl(Code.Untiered)]
    public TieringEventsOptions()
    {
    }

    /// <summary>
    /// Gets a value indicating whether events carry method names and <see cref="TieringEventKind.JitStarted"/> is told. Costs the runtime about 4 µs for each
    /// method it compiles while the stream is open.
    /// </summary>
    public bool IncludeNames { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] init; }

    /// <summary>
    /// Gets about how many bytes of events may wait to be read; an event takes 88 bytes and its names. 0, the default: no bound, nothing is ever lost.
    /// With a bound, events that find no room are counted in a <see cref="TieringEventKind.Gap"/> record at their place.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public long CapacityBytes
    {
        [MethodImpl(Code.Untiered)]
        get;

        [MethodImpl(Code.Untiered)]
        init
        {
            if (value < 0)
            {
                throw new ArgumentOutOfRangeException(nameof(value), value, "A capacity is positive, or 0 for no bound.");
            }

            field = value;
        }
    }
}
