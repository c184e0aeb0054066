// What     One method driven to its final tier with an event stream open: the events of that method in their order, as one line.
// What not Counting: that is in Flood.
// Threads  The caller's.
// Failure  Without signals there is no stream: the line is the exception's name.
using System;
using System.Collections.Generic;

namespace TierUp.Matrix;

internal static class Streams
{
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20);

    public static void Run(FreshMethods methods)
    {
        try
        {
            using TieringEventStream stream = TieringEventStream.Open(new() { IncludeNames = true });
            int slot = methods.Take(1);
            foreach (int calls in TieredCompilation.EnumerateTierPromotionCallCounts(methods.Handles[slot], bound)) FreshMethods.Call(methods.Entries[slot], calls);
            TieredCompilation.WaitForPendingCompilations(bound);
            List<string> told = [];
            string name = "";
            long last = 0, holes = 0;
            while (stream.TryRead(out TieringEvent now))
            {
                if (now.Sequence != ++last) holes++;
                last = now.Sequence;
                if (now.MethodDescriptor != methods.Handles[slot].Value) continue;
                told.Add(now.Kind + (now.Kind == TieringEventKind.JitStarted ? "" : ":" + now.Tier));
                name = now.MethodName ?? name;
            }
            Log.Say("stream", "ladder", string.Join(' ', told), holes);
            Log.Say("stream", "name", name == methods.Methods[slot].Name ? "right" : name);
        }
        catch (Exception exception)
        {
            Log.Say("stream", "ladder", exception.GetType().Name + ": " + exception.Message);
        }
    }
}
