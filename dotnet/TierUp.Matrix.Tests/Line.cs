// What     One line that the workload printed (see Log.cs of TierUp.Matrix).
// Threads  Immutable.
using System;
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace TierUp.Matrix.Tests;

/// <summary>A code version: <c>Tier</c> is TierUp's word, <c>Dac</c> the runtime's number.</summary>
internal sealed record Version(long Code, string? Tier, int Dac);

internal sealed record Line
{
    public required string Kind { get; init; }
    public required string Row { get; init; }
    public required string At { get; init; }
    public long Begin { get; init; }
    public long End { get; init; }
    public long Number { get; init; }
    public long Calls { get; init; }
    public long Handle { get; init; }
    public int Poll { get; init; }
    public string Text { get; init; } = "";
    public string? Status { get; init; }
    public string? Reason { get; init; }
    public string? Tier { get; init; }
    public int Remaining { get; init; }
    public bool Exact { get; init; }
    public long Method { get; init; }
    public long Active { get; init; }
    public string? Kinds { get; init; }
    public IReadOnlyList<Version> Versions { get; init; } = [];

    /// <summary>The runtime's own list, read by the workload without TierUp.</summary>
    public IReadOnlyList<Version> List { get; init; } = [];

    /// <summary>True if the line carries a whole answer.</summary>
    [JsonIgnore]
    public bool IsAnswer => Kind == "check" && Reason is not null;

    /// <summary>Cold, Optimizing or Final, as the poll said.</summary>
    [JsonIgnore]
    public string Polled => Poll is >= 0 and <= 2 ? words[Poll] : "";

    private static readonly string[] words = ["Cold", "Optimizing", "Final"];

    public override string ToString() =>
        $"{Kind} '{Row}' at '{At}': {Text}{Polled}/{Status} {Reason} {Tier} remaining {Remaining} number {Number} calls {Calls} kinds {Kinds}";
}
