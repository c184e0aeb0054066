// What     Runs the children, makes the figures from their samples, prints table and JSON.
// What not Measures nothing in its own process.
// Failure  Exit code 1 when a child failed, or with --check when a bound was missed; 2 for a wrong argument.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using TierUp.Bench.Core.Driver;

namespace TierUp.Bench.Signals.Driver;

internal static class SignalsRun
{
    private const string CheckOption = "--check";

    internal static int Run(string[] arguments)
    {
        if (arguments.Except([CheckOption]).Any())
        {
            Console.Error.WriteLine($"usage: [{CheckOption}]");
            return 2;
        }

        Stopwatch took = Stopwatch.StartNew();
        SignalFiguresOfRun figures = new();
        try
        {
            Measure(figures);
        }
        catch (InvalidOperationException e)
        {
            Console.Error.WriteLine($"bench: {e.Message}");
            return 1;
        }

        string warning = figures.IsMachineBusy ? "the machine is busy: threads wait for processors, and what is over the floor says little then" : "";
        return FigureTable.Conclude(figures.InOrder(), took.Elapsed, arguments.Contains(CheckOption), warning);
    }

    private static void Measure(SignalFiguresOfRun figures)
    {
        Progress("ten idle seconds");
        using (SignalsChild alone = SignalsChild.Start("idle-alone"))
        {
            figures.AddIdle(SignalsChild.Run("idle"), alone.Read());
        }

        Progress("wakes of awaits");
        Dictionary<string, double[]> awaited = SignalsChild.Run("wake-async");
        figures.AddAwaits(awaited);
        Progress("wakes of blocking waits");
        figures.AddBlockingWaits(SignalsChild.Run("wake-sync"));
        Progress("an EventListener");
        figures.AddListener(SignalsChild.Run("listener"), awaited["method_us"]);
        Progress("the pending count");
        figures.AddCount(SignalsChild.Run("count"));
        Progress("bursts of 500 promotions");
        figures.AddQuiesce(SignalsChild.Run("quiesce"));
        Progress("attaching");
        AddAttach(figures);
        Progress("5,000 compilations");
        figures.AddCompilations(new CompileRuns(SignalFiguresOfRun.CompileTurns));
    }

    private static void AddAttach(SignalFiguresOfRun figures)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("tierup-bench-");
        try
        {
            string config = SignalsChild.WriteConfigWithoutEventSource(folder.FullName);
            List<Dictionary<string, double[]>> off = [];
            List<Dictionary<string, double[]>> on = [];
            List<Dictionary<string, double[]>> afterManifest = [];
            for (int turn = 0; turn < SignalFiguresOfRun.AttachTurns; turn++)
            {
                off.Add(SignalsChild.Run("attach", config));
                on.Add(SignalsChild.Run("attach"));
                afterManifest.Add(SignalsChild.Run("attach-after-manifest"));
            }

            figures.AddAttach(off, on, afterManifest);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static void Progress(string what)
    {
        Console.Error.WriteLine($"measuring {what} ...");
    }
}
