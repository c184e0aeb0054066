// What     Case 1: a loop method and an auto-property, called 100 times with 16 ms pauses, as a frame loop or a request stream would.
// What not TierUp drives nothing here, it only watches.
// Threads  The caller's.
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Matrix;

internal static class Rhythm
{
    private const int Calls = 100;
    private const int PauseMs = 16;
    private static int sink;

    public static int Auto
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        get;
        set;
    } = 3;

    public static void Run()
    {
        Subject[] subjects =
        [
            new("loop", typeof(Rhythm).GetMethod(nameof(Loop), BindingFlags.NonPublic | BindingFlags.Static)!, static () => sink += Loop(10)),
            new("auto-property", typeof(Rhythm).GetProperty(nameof(Auto))!.GetMethod!, static () => sink += Auto),
        ];
        foreach (Subject subject in subjects) subject.Observe("start");
        for (int i = 0; i < Calls; i++)
        {
            foreach (Subject subject in subjects) subject.Call(1);
            Thread.Sleep(PauseMs);
            foreach (Subject subject in subjects) subject.Look("call " + (i + 1));
            if (i % 10 == 9) foreach (Subject subject in subjects) subject.Observe("call " + (i + 1));
        }
        foreach (Subject subject in subjects) subject.Observe("ended");
        Canary.Settle(subjects, "settle");
        foreach (Subject subject in subjects) subject.Observe("settled");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Loop(int n)
    {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i ^ n;
        return sum;
    }
}
