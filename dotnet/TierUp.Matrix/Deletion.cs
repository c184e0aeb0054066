// What     Stub deletion under fire: thousands of methods called by two threads while a third polls all of them and a fourth waits.
//          TC_DeleteCallCountingStubsAfter (set by the driver program) makes the runtime delete counting stubs all the time.
// What not No call is driven by a schedule.
// Threads  Four of its own, joined at the end; bounded by time.
// Failure  A crash ends the process; an answer that goes back from Final is an "error" line.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Matrix;

internal static class Deletion
{
    /// <summary>Fewer on .NET 9, whose data access library maps, touches and unmaps 4 MiB a query (seen with strace): 2 ms, and far more under load.</summary>
    private static readonly int Methods = Environment.Version.Major == 9 ? 100 : 2000;

    private static readonly TimeSpan bound = TimeSpan.FromSeconds(10);

    private static readonly Func<int, int>[] calls = new Func<int, int>[Methods];
    private static readonly RuntimeMethodHandle[] handles = new RuntimeMethodHandle[Methods];
    private static readonly long[] finalAt = new long[Methods];
    private static readonly long[] optimizingAt = new long[Methods];
    private static long start, polls, waits, wrong;
    private static volatile bool stop;
    private static volatile int missing = Methods;
    private static int sink;

    public static void Run()
    {
        Build();
        // Registration asks the data access library, which is slow on .NET 9; the fire is for the polls after it.
        foreach (RuntimeMethodHandle handle in handles) TieredCompilation.GetMethodCompilationStatus(handle);
        start = Stopwatch.GetTimestamp();
        Thread[] threads = [Begin(() => Call(0)), Begin(() => Call(Methods / 2)), Begin(Poll), Begin(Wait)];
        foreach (Thread thread in threads) thread.Join();
        for (int i = 0; i < Methods; i++)
        {
            Entry entry = Log.Add("final", "", "");
            entry.Handle = handles[i].Value;
            entry.Begin = optimizingAt[i];
            entry.End = finalAt[i];
        }
        Log.Say("", "polls", "", polls);
        Log.Say("", "waits", "", waits);
        Log.Say("", "wrong", "", wrong);
        Log.Say("", "not final", "", missing);
        Subject[] some = [new("first", handles[0], static () => sink += calls[0](1)), new("last", handles[Methods - 1], static () => sink += calls[Methods - 1](1))];
        foreach (Subject subject in some) subject.Observe("ended");
    }

    private static Thread Begin(Action action)
    {
        Thread thread = new(() =>
        {
            try { action(); }
            catch (Exception exception) { Log.Failed("", "thread", exception); stop = true; }
        });
        thread.Start();
        return thread;
    }

    private static bool IsOver => stop || missing == 0 || Stopwatch.GetElapsedTime(start) > bound;

    private static void Call(int from)
    {
        int sum = 0;
        while (!IsOver)
        {
            // Not in step with the other thread, and not all methods equally often.
            for (int i = 0; i < Methods; i++)
            {
                int index = (from + i) % Methods;
                for (int n = index % 5; n >= 0; n--) sum += calls[index](n);
            }
        }
        sink += sum;
    }

    private static void Poll()
    {
        while (!IsOver)
        {
            int left = 0;
            for (int i = 0; i < Methods; i++)
            {
                MethodCompilationStatus status = TieredCompilation.GetMethodCompilationStatus(handles[i]);
                polls++;
                if (status == MethodCompilationStatus.Final)
                {
                    if (finalAt[i] == 0) finalAt[i] = Stopwatch.GetTimestamp();
                    continue;
                }
                left++;
                if (status == MethodCompilationStatus.Optimizing) optimizingAt[i] = Stopwatch.GetTimestamp();
                if (finalAt[i] == 0) continue;
                if (wrong++ < 20) Log.Say("", "went back", $"method {i}: {status} {TieredCompilation.GetMethodState(handles[i])}");
            }
            missing = left;
        }
    }

    private static void Wait()
    {
        for (int i = 0; !IsOver; i = (i + 7) % Methods)
        {
            TieredCompilation.WaitForFinalCompilationOrCallCountingReady(handles[i], TimeSpan.FromMilliseconds(2));
            waits++;
        }
    }

    private static void Build()
    {
        TypeBuilder type = AssemblyBuilder.DefineDynamicAssembly(new("TierUp.Matrix.Many"), AssemblyBuilderAccess.Run)
            .DefineDynamicModule("many").DefineType("Many", TypeAttributes.Public);
        for (int i = 0; i < Methods; i++)
        {
            MethodBuilder method = type.DefineMethod("M" + i, MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
            method.SetImplementationFlags(MethodImplAttributes.NoInlining);
            ILGenerator il = method.GetILGenerator();
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldc_I4, i);
            il.Emit(OpCodes.Add);
            il.Emit(OpCodes.Ret);
        }
        Type built = type.CreateType();
        for (int i = 0; i < Methods; i++)
        {
            MethodInfo method = built.GetMethod("M" + i)!;
            handles[i] = method.MethodHandle;
            calls[i] = method.CreateDelegate<Func<int, int>>();
        }
    }
}
