// What     Collectible code that is called, watched, awaited, told of in an event stream and listed, and then unloaded, again and again, while garbage is
//          collected: no crash, nothing kept alive, and clear answers after the end.
// What not One stale handle after its unload: that is in Errors.
// Threads  The caller's, one that watches all the time, one that collects.
// Failure  A crash ends the process; a context that stays alive is counted.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class Unloading
{
    private const int Rounds = 12;

    /// <summary>A name takes 11 to 22 ms on 9.0.23, and a hundred methods may be pending while the delay is re-armed: a look must end before the round does.</summary>
    private const int NamesPerLook = 4;

    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20), brief = TimeSpan.FromMilliseconds(3);
    private static volatile bool isOver;
    private static volatile int looks;
    private static long listed, events;

    public static void Run()
    {
        Thread watcher = new(Watch), collector = new(Collect);
        watcher.Start();
        if (!SpinWait.SpinUntil(static () => looks > 0, bound)) throw new TimeoutException("the watcher never looked");
        collector.Start();
        List<WeakReference> contexts = [];
        int final = 0;
        for (int round = 0; round < Rounds; round++) contexts.Add(LoadCallUnload(round, ref final));
        int gone = 0;
        foreach (WeakReference context in contexts)
        {
            for (int i = 0; i < 50 && context.IsAlive; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
            if (!context.IsAlive) gone++;
        }
        isOver = true;
        watcher.Join();
        collector.Join();
        Log.Say("", "final", "", final);
        Log.Say("", "gone", "", gone);
        Log.Say("", "rounds", "", Rounds);
        Log.Say("", "listed", "", listed);
        Log.Say("", "events", "", events);
        Log.Say("", "looks", "", looks);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference LoadCallUnload(int round, ref int final)
    {
        AssemblyLoadContext context = new("unloading" + round, isCollectible: true);
        MethodInfo loaded = CollectibleKinds.Load(context), emitted = Emit(round);
        int before = looks;
        foreach (MethodInfo method in new[] { loaded, emitted })
        {
            Task<bool> wait = Task.Run(() => TieredCompilation.WaitForFinalCompilation(method, bound));
            method.Invoke(null, [3]);
            TieredCompilation.WaitForFinalCompilationOrCallCountingReady(method, bound);
            if (wait.Wait(bound) && wait.Result && TieredCompilation.GetMethodCompilationStatus(method) == MethodCompilationStatus.Final) final++;
        }
        // The watcher sees each round's code while that is alive: else the round would prove nothing.
        SpinWait.SpinUntil(() => looks > before + 1, bound);
        // One more wait that is given up: nothing of it may keep the code alive.
        using CancellationTokenSource source = new();
        ValueTask given = TieredCompilation.WaitForPendingCompilations(source.Token);
        source.Cancel();
        try { given.AsTask().Wait(bound); }
        catch (AggregateException) { }
        context.Unload();
        return new(context);
    }

    private static MethodInfo Emit(int round)
    {
        TypeBuilder type = AssemblyBuilder.DefineDynamicAssembly(new("TierUp.Matrix.Unloading" + round), AssemblyBuilderAccess.RunAndCollect)
            .DefineDynamicModule("unloading").DefineType("Unloading", TypeAttributes.Public);
        MethodBuilder method = type.DefineMethod("Work", MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ret);
        return type.CreateType().GetMethod("Work")!;
    }

    /// <summary>Lets the others run between: without the pause 300,000 collections were counted before the first assembly was loaded.</summary>
    private static void Collect()
    {
        while (!isOver)
        {
            GC.Collect();
            Thread.Sleep(1);
        }
    }

    private static void Watch()
    {
        try
        {
            using TieringEventStream stream = TieringEventStream.Open(new() { IncludeNames = true });
            while (!isOver)
            {
                while (stream.TryRead(out TieringEvent told))
                {
                    events++;
                    if (told.MethodDescriptor != 0 && events % 50 == 0) _ = told.ToString();
                }
                int named = 0;
                foreach (PendingCompilation pending in TieredCompilation.GetPendingCompilations())
                {
                    listed++;
                    if (++named > NamesPerLook) break;
                    _ = pending.Name;
                    _ = pending.TryGetMethod();
                }
                TieredCompilation.WaitForPendingCompilations(brief);
                looks++;
            }
        }
        catch (Exception exception)
        {
            Log.Failed("", "watcher", exception);
        }
    }
}
