// What     One tiering event of the process.
// What not Keeps no method alive; addresses are for comparison and display.
// Threads  Immutable.
// Source   tierup_event in tierup.h.

using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using TierUp.Events;
using TierUp.Native;

namespace TierUp;

/// <summary>One tiering event of the process. Which members mean something depends on <see cref="Kind"/>; the others are 0 or null.</summary>
public readonly struct TieringEvent : IEquatable<TieringEvent>
{
    private const double NanosecondsPerSecond = 1e9;

    private readonly MethodTexts? _texts;
    private readonly uint _flags;

    [MethodImpl(TierUp.Code.Untiered)]
    internal TieringEvent(in NativeEvent record, MethodTexts? texts)
    {
        _texts = texts;
        _flags = record.Flags;
        Kind = (TieringEventKind)record.Kind;
        Tier = (CompilationTier)record.Tier;
        Sequence = (long)record.Sequence;
        TimestampNanoseconds = (long)record.TimeNs;
        MethodDescriptor = (nint)record.Method;
        Module = (nint)record.Module;
        Code = (nint)record.Code;
        CodeSize = (int)record.CodeBytes;
        VersionNode = (nint)record.Node;
        MetadataToken = (int)record.Token;
        ThreadId = (int)record.Thread;
        Count = (int)record.Count;
        JittedCount = (int)record.Jitted;
    }

    /// <summary>Gets what happened.</summary>
    public TieringEventKind Kind { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the tier of the code, or the tier to be compiled.</summary>
    public CompilationTier Tier { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the event's number in its stream: 1, 2, 3 and so on without holes. A gap's number is the last of those that it stands for.</summary>
    public long Sequence { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets when it happened, in nanoseconds of the system's monotonic clock.</summary>
    public long TimestampNanoseconds { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets when it happened, on the scale of <see cref="Stopwatch.GetTimestamp"/>.</summary>
    public long Timestamp
    {
        [MethodImpl(TierUp.Code.Untiered)]
        get
        {
            return Stopwatch.Frequency == (long)NanosecondsPerSecond
                ? TimestampNanoseconds
                : (long)(TimestampNanoseconds * (Stopwatch.Frequency / NanosecondsPerSecond));
        }
    }

    /// <summary>Gets the address of the method descriptor: what <see cref="RuntimeMethodHandle.Value"/> is for a method that is no stub. 0 where no method is meant.</summary>
    public nint MethodDescriptor { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the address of the runtime's module.</summary>
    public nint Module { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the address of the native code.</summary>
    public nint Code { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the size of the native code in bytes.</summary>
    public int CodeSize { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the address of the runtime's node for the code version, where it is known.</summary>
    public nint VersionNode { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the method's metadata token.</summary>
    public int MetadataToken { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the operating system's number of the thread on which it happened (not <see cref="Environment.CurrentManagedThreadId"/>).</summary>
    public int ThreadId { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets a count; see <see cref="Kind"/> for what was counted.</summary>
    public int Count { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets a value indicating whether <see cref="Count"/> is a lower bound: a gap so long that its counter was full.</summary>
    public bool IsCountLowerBound
    {
        [MethodImpl(TierUp.Code.Untiered)]
        get { return (_flags & NativeEvent.CountIsAtLeastFlag) != 0; }
    }

    /// <summary>Gets how many methods the batch compiled that ended.</summary>
    public int JittedCount { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the full name of the method's type, as the runtime tells it; null without <see cref="TieringEventsOptions.IncludeNames"/>, and for what this stream tells of a method before the runtime has named it.</summary>
    public string? MethodNamespace
    {
        [MethodImpl(TierUp.Code.Untiered)]
        get { return _texts?.Namespace; }
    }

    /// <summary>Gets the method's name; null without <see cref="TieringEventsOptions.IncludeNames"/>, and for what this stream tells of a method before the runtime has named it.</summary>
    public string? MethodName
    {
        [MethodImpl(TierUp.Code.Untiered)]
        get { return _texts?.Name; }
    }

    /// <summary>Gets the method's signature, as the runtime tells it; null without <see cref="TieringEventsOptions.IncludeNames"/>, and for what this stream tells of a method before the runtime has named it.</summary>
    public string? MethodSignature
    {
        [MethodImpl(TierUp.Code.Untiered)]
        get { return _texts?.Signature; }
    }

    /// <summary>Gets a value indicating whether one of the three texts was longer than 4,096 characters and ends there.</summary>
    public bool AreNamesCut
    {
        [MethodImpl(TierUp.Code.Untiered)]
        get { return (_flags & NativeEvent.NamesCutFlag) != 0; }
    }

    /// <summary>Compares kind, number and time.</summary>
    /// <param name="left">One event.</param>
    /// <param name="right">Another event.</param>
    /// <returns>Whether they are the same.</returns>
    [MethodImpl(TierUp.Code.Untiered)]
    public static bool operator ==(TieringEvent left, TieringEvent right)
    {
        return left.Equals(right);
    }

    /// <summary>Compares kind, number and time.</summary>
    /// <param name="left">One event.</param>
    /// <param name="right">Another event.</param>
    /// <returns>Whether they differ.</returns>
    [MethodImpl(TierUp.Code.Untiered)]
    public static bool operator !=(TieringEvent left, TieringEvent right)
    {
        return !left.Equals(right);
    }

    /// <inheritdoc/>
    [MethodImpl(TierUp.Code.Untiered)]
    public bool Equals(TieringEvent other)
    {
        return Sequence == other.Sequence && TimestampNanoseconds == other.TimestampNanoseconds && Kind == other.Kind
            && MethodDescriptor == other.MethodDescriptor;
    }

    /// <inheritdoc/>
    [MethodImpl(TierUp.Code.Untiered)]
    public override bool Equals(object? obj)
    {
        return obj is TieringEvent other && Equals(other);
    }

    /// <inheritdoc/>
    [MethodImpl(TierUp.Code.Untiered)]
    public override int GetHashCode()
    {
        return unchecked((int)Sequence ^ (int)TimestampNanoseconds ^ ((int)Kind << 24));
    }

    /// <summary>Describes the event for a log, for example "12: Published Parser.Parse Tier1 at 0x7f12a4c01230, 123 bytes".</summary>
    /// <returns>The text.</returns>
    [MethodImpl(TierUp.Code.Untiered)]
    public override string ToString()
    {
        string text = string.Concat(Sequence.ToString(CultureInfo.InvariantCulture), ": ", TierNames.Of(Kind));
        if (MethodDescriptor != 0)
        {
            string method = _texts is null
                ? string.Concat("0x", MethodDescriptor.ToString("x", CultureInfo.InvariantCulture))
                : string.Concat(_texts.Namespace, ".", _texts.Name);
            text = string.Concat(text, " ", method);
            text = Tier == CompilationTier.Unknown ? text : string.Concat(text, " ", TierNames.Of(Tier));
        }

        if (Code != 0)
        {
            text = string.Concat(text, " at 0x", Code.ToString("x", CultureInfo.InvariantCulture));
            text = string.Concat(text, ", ", CodeSize.ToString(CultureInfo.InvariantCulture), " bytes");
        }

        if (Kind is >= TieringEventKind.DelayEnded and <= TieringEventKind.Gap)
        {
            text = string.Concat(text, IsCountLowerBound ? ", count at least " : ", count ", Count.ToString(CultureInfo.InvariantCulture));
        }

        return Kind == TieringEventKind.BatchEnded
            ? string.Concat(text, ", compiled ", JittedCount.ToString(CultureInfo.InvariantCulture))
            : text;
    }
}
