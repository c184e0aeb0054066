// What     What the command line says about a scenario, beyond its name.
// Threads  Written before the scenario begins.
// Failure  An unknown word is an exception: a row that asks for what is not there must fail.
using System;
using System.Globalization;

namespace TierUp.Matrix;

internal static class Options
{
    /// <summary>Promotions that the differential makes.</summary>
    public static int Promotions { get; private set; } = 2000;

    /// <summary>Promotions per method: 2 with profiling, 1 without.</summary>
    public static int Phases { get; private set; } = 2;

    /// <summary>How many methods a scenario uses, where it can be chosen.</summary>
    public static int Methods { get; private set; } = 1000;

    /// <summary>Waits at once.</summary>
    public static int Waits { get; private set; } = 10_000;

    public static int Seed { get; private set; } = 1;

    /// <summary>An EventListener of the framework listens to the runtime's events too.</summary>
    public static bool Listens { get; private set; }

    /// <summary>Emitted methods are never promoted here.</summary>
    public static bool IsFlat { get; private set; }

    /// <summary>Wake-ups are measured too.</summary>
    public static bool Wakes { get; private set; }

    /// <summary>How the process ends: return, environment, exception.</summary>
    public static string Exit { get; private set; } = "return";

    /// <summary>Reads the argument at <paramref name="index"/> and its value, if it has one.</summary>
    public static void Read(string[] arguments, ref int index)
    {
        switch (arguments[index])
        {
            case "--threshold": Canary.Threshold = Number(arguments, ref index); break;
            case "--no-promotion": Canary.Promotes = false; break;
            case "--promotions": Promotions = Number(arguments, ref index); break;
            case "--phases": Phases = Number(arguments, ref index); break;
            case "--methods": Methods = Number(arguments, ref index); break;
            case "--waits": Waits = Number(arguments, ref index); break;
            case "--seed": Seed = Number(arguments, ref index); break;
            case "--listener": Listens = true; break;
            case "--wakes": Wakes = true; break;
            case "--flat": IsFlat = true; break;
            case "--exit": Exit = arguments[++index]; break;
            default: throw new ArgumentException("unknown argument: " + arguments[index]);
        }
    }

    private static int Number(string[] arguments, ref int index) => int.Parse(arguments[++index], CultureInfo.InvariantCulture);
}
