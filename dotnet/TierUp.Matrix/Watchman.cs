// What     One thread that asks one question of TierUp again and again, and holds each "yes" against the callers' journals.
// What not Drives nothing.
// Threads  One of its own; the asynchronous question goes on on pool threads.
// Failure  See Differential. The first false answers are told in full.
using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal enum Question
{
    /// <summary>WaitForPendingCompilations, blocking.</summary>
    Idle,

    /// <summary>The same, awaited.</summary>
    IdleAwaited,

    /// <summary>PendingTieredCompilationCount is 0.</summary>
    IdleCount,

    /// <summary>WaitForTieredCompilationActive, blocking.</summary>
    Active,

    /// <summary>The same, awaited.</summary>
    ActiveAwaited,
}

internal sealed class Watchman
{
    private const int MaxTold = 10;

    /// <summary>Waits that took less need no wake-up to be judged.</summary>
    private const long ShortestToldNs = 100_000;

    private readonly Question question;
    private readonly LoadCaller[] callers;
    private readonly int[] asked, done;
    private readonly Thread thread;
    private RunQueue? queue;
    private uint state;
    private volatile bool stop;

    public Watchman(Question question, LoadCaller[] callers, int seed)
    {
        this.question = question;
        this.callers = callers;
        asked = new int[callers.Length];
        done = new int[callers.Length];
        state = (uint)seed * 2654435761u + 1;
        thread = new(Run);
    }

    public string Name => question.ToString();

    public long Answers { get; private set; }

    /// <summary>How many entries of the journals were compared.</summary>
    public long Checks { get; private set; }

    public long FalseAnswers { get; private set; }

    public long Hangs { get; private set; }

    private bool IsIdle => question <= Question.IdleCount;

    public void Start() => thread.Start();

    public void Stop() => stop = true;

    public void Join() => thread.Join();

    public void AskOnce()
    {
        Snapshot();
        long begin = Stopwatch.GetTimestamp();
        if (!Ask()) { Hung(); return; }
        Judge(begin, Stopwatch.GetTimestamp());
    }

    private void Run()
    {
        try
        {
            queue = new();
            while (!stop)
            {
                long waitedBefore = queue.WaitedNs();
                Snapshot();
                long begin = Stopwatch.GetTimestamp();
                bool yes = Ask();
                long end = Stopwatch.GetTimestamp();
                if (yes) Judge(begin, end);
                else if (question != Question.IdleCount) { Hung(); return; }
                if (yes && question is Question.Idle or Question.Active && end - begin >= ShortestToldNs)
                {
                    Entry told = Log.Add("wait", Name, "");
                    told.Begin = begin;
                    told.End = end;
                    told.Number = queue.WaitedNs() - waitedBefore;
                }
                Pause(yes);
            }
        }
        catch (Exception exception)
        {
            Log.Failed(Name, "watchman", exception);
        }
        finally
        {
            queue?.Dispose();
        }
    }

    private void Snapshot()
    {
        for (int i = 0; i < callers.Length; i++) asked[i] = Of(callers[i]).Count;
    }

    private Journal Of(LoadCaller caller) => IsIdle ? caller.Reached : caller.Called;

    private bool Ask()
    {
        switch (question)
        {
            case Question.Idle: return TieredCompilation.WaitForPendingCompilations(Differential.Bound);
            case Question.Active: return TieredCompilation.WaitForTieredCompilationActive(Differential.Bound);
            case Question.IdleCount: return TieredCompilation.PendingTieredCompilationCount == 0;
            case Question.IdleAwaited: return Await(TieredCompilation.WaitForPendingCompilations());
            default: return Await(TieredCompilation.WaitForTieredCompilationActive());
        }
    }

    private static bool Await(ValueTask wait)
    {
        if (wait.IsCompletedSuccessfully) return true;
        Task task = wait.AsTask();
        return task.Wait(Differential.Bound);
    }

    /// <summary>Each entry is compared once: what is done stays done.</summary>
    private void Judge(long begin, long end)
    {
        Answers++;
        for (int i = 0; i < callers.Length; i++)
        {
            Journal journal = Of(callers[i]);
            for (; done[i] < asked[i]; done[i]++)
            {
                int index = done[i];
                EntryPoint now = EntryPoint.Read(callers[i].Entry(journal.Slot(index)));
                Checks++;
                bool isDone = IsIdle ? now.Code != journal.Code(index) : IsCounted(now, journal.Code(index)) || callers[i].IsExhausted(journal.Slot(index));
                if (!isDone) False(begin, end, callers[i], journal, index, now);
                else journal.Cover(index, end);
            }
        }
    }

    /// <summary>Not held by the delay any more: at the counting stub, at the prestub (delay 0), or at later code.</summary>
    private static bool IsCounted(EntryPoint now, nint firstCode) => now.Kind != EntryKind.Code || now.Code != firstCode;

    private void False(long begin, long end, LoadCaller caller, Journal journal, int index, EntryPoint now)
    {
        if (FalseAnswers++ >= MaxTold) return;
        Entry told = Log.Add("false", Name, "");
        told.Text = $"entry {index} of {journal.At(index)} (phase {journal.Phase(index)}, code {journal.Code(index):x}): {now.Kind} {now.Code:x} remaining {now.Remaining} stage {now.Stage}";
        told.Begin = begin;
        told.End = end;
    }

    private void Hung()
    {
        Hangs++;
        Log.Say(Name, "hang", $"no answer in {Differential.Bound.TotalSeconds} s; pending {TieredCompilation.PendingTieredCompilationCount}, {TieredCompilation.Capabilities}");
    }

    private void Pause(bool yes)
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        if (question == Question.IdleCount && !yes) { Thread.Yield(); return; }
        switch (state % 4)
        {
            case 0: Thread.Sleep((int)(state >> 8) % 3); break;
            case 1: Thread.SpinWait((int)(state >> 8) % 5000); break;
            default: Thread.Sleep(0); break;
        }
    }
}
