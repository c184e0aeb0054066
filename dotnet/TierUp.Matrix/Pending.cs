// What     GetPendingCompilations right after a burst, as lines: the driver program holds order and content against the trace.
// Threads  The caller's.
using System.Collections.Generic;

namespace TierUp.Matrix;

internal static class Pending
{
    public static void Tell(string row, System.Action afterwards)
    {
        int count = TieredCompilation.PendingTieredCompilationCount;
        Entry before = Log.Add("mark", row, "listing");
        IReadOnlyList<PendingCompilation> list = TieredCompilation.GetPendingCompilations();
        before.End = System.Diagnostics.Stopwatch.GetTimestamp();
        afterwards();
        before.Number = list.Count;
        before.Calls = count;
        // The main thread's number with the kernel: what it compiles itself meanwhile is no background compilation.
        before.Handle = System.Environment.ProcessId;
        foreach (PendingCompilation pending in list)
        {
            Entry entry = Log.Add("listed", row, pending.State.ToString());
            entry.Handle = pending.MethodDescriptor;
            entry.Number = pending.Position;
            entry.Text = pending.TargetTier.ToString();
        }
        // Names cost a query each: some are enough, after the list was taken.
        for (int i = 0; i < list.Count && i < 3; i++) Log.Say(row, "name", list[i].Name);
    }
}
