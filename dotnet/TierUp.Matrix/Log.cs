// What     What a scenario saw, kept in memory while it runs and printed as JSON lines when it has ended.
// What not No judgement: TierUp.Matrix.Tests compares the lines with the runtime's own events.
// Threads  Any; entries are taken under a lock. Nothing is formatted or printed before Print.
// Failure  A member that throws is an entry too: the exception's type and text.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Runtime.CompilerServices;
using System.Text;

namespace TierUp.Matrix;

/// <summary>One line of the log. <c>Begin</c> and <c>End</c> bracket the answer on the clock of the runtime's event trace.</summary>
internal sealed class Entry
{
    public string Kind = "";
    public string Row = "";
    public string At = "";
    public long Begin;
    public long End;
    public nint Handle;
    public long Number;
    public long Calls;
    public string? Text;
    public MethodState? State;
    public DacVersion[]? List;
    public int Poll = -1;
}

internal static class Log
{
    private static readonly List<Entry> entries = new(1 << 14);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static Entry Add(string kind, string row, string at)
    {
        Entry entry = new() { Kind = kind, Row = row, At = at, Begin = Stopwatch.GetTimestamp() };
        entry.End = entry.Begin;
        lock (entries) entries.Add(entry);
        return entry;
    }

    /// <summary>A moment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static void Mark(string row, string at, long number = 0) => Add("mark", row, at).Number = number;

    /// <summary>A fact in words.</summary>
    public static void Say(string row, string at, string text, long number = 0)
    {
        Entry entry = Add("say", row, at);
        entry.Text = text;
        entry.Number = number;
    }

    public static void Failed(string row, string at, Exception exception)
    {
        Entry entry = Add("error", row, at);
        entry.Text = exception.GetType().FullName + ": " + exception.Message;
    }

    public static void Print(TextWriter to)
    {
        StringBuilder line = new();
        lock (entries)
        {
            foreach (Entry entry in entries)
            {
                line.Clear();
                Write(line, entry);
                to.WriteLine(line.ToString());
            }
        }
        to.Flush();
    }

    private static void Write(StringBuilder to, Entry entry)
    {
        to.Append("{\"kind\":").Append(Quoted(entry.Kind)).Append(",\"row\":").Append(Quoted(entry.Row)).Append(",\"at\":").Append(Quoted(entry.At));
        to.Append(",\"begin\":").Append(entry.Begin).Append(",\"end\":").Append(entry.End);
        to.Append(",\"number\":").Append(entry.Number).Append(",\"calls\":").Append(entry.Calls);
        to.Append(",\"handle\":").Append((long)entry.Handle).Append(",\"poll\":").Append(entry.Poll);
        if (entry.Text is not null) to.Append(",\"text\":").Append(Quoted(entry.Text));
        if (entry.State is { } state)
        {
            to.Append(",\"status\":").Append(state.Status is { } status ? Quoted(status.ToString()) : "null");
            to.Append(",\"reason\":").Append(Quoted(state.Reason.ToString())).Append(",\"tier\":").Append(Quoted(state.Tier.ToString()));
            to.Append(",\"remaining\":").Append(state.CallsToNextTierPromotion).Append(",\"exact\":").Append(state.IsCallCountExact ? "true" : "false");
            to.Append(",\"method\":").Append((long)state.MethodDescriptor).Append(",\"active\":").Append((long)state.ActiveCode);
            to.Append(",\"kinds\":").Append(Quoted(state.Kinds.ToString())).Append(",\"versions\":[");
            for (int i = 0; i < state.CodeVersions.Count; i++)
            {
                CodeVersion version = state.CodeVersions[i];
                to.Append(i == 0 ? "" : ",").Append("{\"code\":").Append((long)version.Code).Append(",\"tier\":").Append(Quoted(version.Tier.ToString())).Append('}');
            }
            to.Append(']');
        }
        if (entry.List is not null) Write(to, "list", entry.List);
        to.Append('}');
    }

    private static void Write(StringBuilder to, string name, DacVersion[] versions)
    {
        to.Append(",\"").Append(name).Append("\":[");
        for (int i = 0; i < versions.Length; i++)
        {
            to.Append(i == 0 ? "" : ",").Append("{\"code\":").Append((long)versions[i].Code).Append(",\"dac\":").Append(versions[i].Tier).Append('}');
        }
        to.Append(']');
    }

    private static string Quoted(string text)
    {
        StringBuilder quoted = new("\"");
        foreach (char character in text)
        {
            if (character is '"' or '\\') quoted.Append('\\').Append(character);
            else if (character < ' ') quoted.Append("\\u").Append(((int)character).ToString("x4", CultureInfo.InvariantCulture));
            else quoted.Append(character);
        }
        return quoted.Append('"').ToString();
    }
}
