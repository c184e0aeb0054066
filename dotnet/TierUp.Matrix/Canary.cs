// What     Waits until the runtime has had every chance to promote what has been called: fresh methods, first called after the
//          subjects, go the whole way to tier 1, while the subjects are called on. The background queue is first in, first out.
// What not No use of TierUp: when a canary has arrived is read from the runtime's own list (Dac).
// Threads  The caller's.
// Failure  Bounded; a canary that never arrives is an "error" line. Where nothing is ever promoted, a window of time stands in.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Matrix;

internal static class Canary
{
    private const int MaxCallsPerSubject = 4000;

    private static readonly Func<int, int>[] birds = [Beat<byte>, Beat<short>, Beat<int>, Beat<long>, Beat<float>, Beat<double>];
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan windowWithoutPromotion = TimeSpan.FromMilliseconds(300);
    private static int used;

    /// <summary>Calls per counting phase, so that a canary arrives in about as many steps whatever the threshold is.</summary>
    public static int Threshold { get; set; } = 30;

    /// <summary>False where the process never promotes anything.</summary>
    public static bool Promotes { get; set; } = true;

    public static void Settle(IReadOnlyList<Subject> subjects, string at)
    {
        Log.Mark("", at + " begins");
        Func<int, int> bird = birds[used++];
        nint method = bird.Method.MethodHandle.Value;
        long start = Stopwatch.GetTimestamp();
        int perStep = Threshold / 20 + 1, callsLeft = MaxCallsPerSubject;
        for (int turn = 1; ; turn++)
        {
            // Twice the threshold is the least; asking the runtime every time would cost more than the calls.
            if (Promotes && turn % 10 == 0 && Dac.HasCode(method, Dac.Tier1)) break;
            TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
            if (!Promotes && elapsed > windowWithoutPromotion) break;
            if (elapsed > bound) { Log.Failed("", at, new TimeoutException("the canary never reached tier 1")); break; }
            for (int i = 0; i < perStep; i++) bird(i);
            int times = Math.Min(callsLeft, 4);
            callsLeft -= times;
            foreach (Subject subject in subjects) if (subject.IsCalled) subject.Call(times);
            Thread.Sleep(1);
        }
        Log.Mark("", at + " ends");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Beat<T>(int x) => x + Unsafe.SizeOf<T>();
}
