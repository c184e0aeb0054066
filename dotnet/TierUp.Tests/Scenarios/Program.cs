// What     This assembly as a program: a process of its own for what a test host is too busy for, and for settings that a process has from its start.
// What not Judges nothing: it prints what it saw, one fact a line, and the tests judge.
// Failure  An exception ends the process with its text.

using System;

namespace TierUp.Tests.Scenarios;

internal static class Program
{
    private static int Main(string[] arguments)
    {
        switch (arguments.Length == 0 ? "" : arguments[0])
        {
            case "waits": Waits.Run(); break;
            case "ladder": Ladder.Run(); break;
            case "flood": Flood.Run(); break;
            case "burst": Burst.Run(); break;
            case "quiet": Quiet.Run(); break;
            default:
                Console.Error.WriteLine("name a scenario");
                return 2;
        }

        return 0;
    }
}
