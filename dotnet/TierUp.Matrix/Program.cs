// What     Entry point: `TierUp.Matrix SCENARIO [OPTION…]` (see Options) runs one scenario and prints what it saw.
// What not No judgement, and as little work of its own as possible while a scenario runs.
// Threads  The main thread; scenarios start their own.
// Failure  Exit code 0 when the scenario ran to its end, 2 for an unknown scenario, 3 for an exception that nobody expected.
using System;
using System.IO;
using System.Threading;

namespace TierUp.Matrix;

internal static class Program
{
    private static int Main(string[] arguments)
    {
        string name = arguments.Length > 0 ? arguments[0] : "";
        for (int i = 1; i < arguments.Length; i++) Options.Read(arguments, ref i);
        Action? scenario = name switch
        {
            "kinds" => Kinds.Run,
            "knobs" => Knobs.Run,
            "rhythm" => Rhythm.Run,
            "starts" => Starts.Run,
            "waits" => Waits.Run,
            "threads" => Threads.Run,
            "errors" => Errors.Run,
            "quiet" => Quiet.Run,
            "deletion" => Deletion.Run,
            "differential" => Differential.Run,
            "flood" => Flood.Run,
            "process" => ProcessWide.Run,
            "crowd" => Crowd.Run,
            "unloading" => Unloading.Run,
            "ending" => Ending.Run,
            "contexts" => Contexts.Run,
            _ => null,
        };
        if (scenario is null)
        {
            Console.Error.WriteLine("unknown scenario: " + name);
            return 2;
        }
        int exit = 0;
        try
        {
            Dac.Load();
            scenario();
        }
        catch (Exception exception)
        {
            Console.Error.WriteLine(exception);
            exit = 3;
        }
        Report.Environment();
        using StreamWriter output = new(Console.OpenStandardOutput());
        Log.Print(output);
        return exit == 0 ? Ending.ExitCode : exit;
    }
}
