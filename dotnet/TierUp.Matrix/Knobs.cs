// What     A small set of methods that tell every knob apart: plain, loop, on-stack replacement, ahead-of-time compiled, optimized at
//          once, never optimized. The driver program sets the knob and knows what the runtime does with it.
// What not No knob is read here.
// Threads  The caller's.
// Failure  See Drive.
using System;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.Matrix;

internal static class Knobs
{
    private static readonly Version one = new(1, 2, 3, 4), other = new(1, 2, 3, 5);
    private static int sink;

    public static void Run()
    {
        Subject[] subjects =
        [
            new("plain", Method(nameof(Plain)), static () => sink += Plain(3)),
            new("loop", Method(nameof(Loop)), static () => sink += Loop(10)),
            new("osr", Method(nameof(Osr)), static () => sink += Osr(sink == int.MinValue ? 0 : iterations)),
            // Rarely used and compiled ahead of time; no start-up path calls it ("start" shows that it is cold).
            new("ready to run", typeof(Version).GetMethod(nameof(Version.CompareTo), [typeof(Version)])!, static () => sink += Compare()),
            new("aggressive", Method(nameof(Aggressive)), static () => sink += Aggressive(3)),
            new("no optimization", Method(nameof(NoOptimization)), static () => sink += NoOptimization(3)),
        ];
        iterations = 200_000;
        Drive.ToEnd(subjects);
        foreach (Subject subject in subjects) subject.Observe("ended");
        iterations = 10;
        Canary.Settle(subjects, "settle");
        foreach (Subject subject in subjects) subject.Observe("settled");
    }

    private static int iterations;

    /// <summary>Not optimized, so that the call stays a call.</summary>
    [MethodImpl(MethodImplOptions.NoOptimization | MethodImplOptions.NoInlining)]
    private static int Compare() => one.CompareTo(other);

    private static MethodInfo Method(string name) => typeof(Knobs).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Plain(int x) => x * 31 + 7;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Loop(int n)
    {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i ^ n;
        return sum;
    }

    /// <summary>The first call iterates often enough for on-stack replacement (OSR_HitLimit, 50,000 by default in clrconfignames.h), later ones do not.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Osr(int n)
    {
        iterations = 10;
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i ^ (sum << 1);
        return sum;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static int Aggressive(int x) => x * 37 + 5;

    [MethodImpl(MethodImplOptions.NoOptimization | MethodImplOptions.NoInlining)]
    private static int NoOptimization(int x) => x * 41 + 3;
}
