// What     Handles that are no handles, methods that can't be called, methods that are gone: every member, one line each.
// What not Nothing here may end the process; the driver program checks the exit code.
// Threads  The caller's.
// Failure  The line holds the exception's type and text, or what was returned.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Loader;
using System.Threading;

namespace TierUp.Matrix;

internal abstract class Unfinished
{
    public abstract int Abstract(int x);
}

internal static unsafe class Errors
{
    private const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance;
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(5);

    public static void Run()
    {
        nint real = typeof(Errors).GetMethod(nameof(Real), Any)!.MethodHandle.Value;
        Real(3);
        int local = 0;
        Ask("default handle", default(RuntimeMethodHandle));
        Ask("small number", At(0x1234));
        Ask("odd number", At(real + 1));
        Ask("middle of a descriptor, +4", At(real + 4));
        Ask("middle of a descriptor, +8", At(real + 8));
        Ask("before a descriptor, -8", At(real - 8));
        Ask("unmapped memory", At(unchecked((nint)0x5a5a_5a5a_5000)));
        Ask("not canonical", At(unchecked((nint)0xdead_beef_dead_bee0)));
        Ask("all ones", At(-8));
        Ask("stack", At((nint)(&local)));
        Ask("heap", At((nint)NativeMemory.AllocZeroed(256)));
        Ask("type handle", At(typeof(Errors).TypeHandle.Value));
        Ask("code", At(typeof(Errors).GetMethod(nameof(Real), Any)!.MethodHandle.GetFunctionPointer()));

        Ask("open generic method", typeof(GenericKinds).GetMethod("Single", Any)!);
        Ask("method of an open generic type", typeof(Box<>).GetMethod("Static")!);
        Ask("abstract", typeof(Unfinished).GetMethod("Abstract")!);
        Ask("interface method", typeof(IShape).GetMethod("Area")!);
        Ask("static abstract", typeof(ICounter).GetMethod("Count")!);
        Ask("null method", (MethodBase)null!);
        Ask("open generic method by handle", typeof(GenericKinds).GetMethod("Single", Any)!.MethodHandle);
        Ask("method of an open generic type by handle", typeof(Box<>).GetMethod("Static")!.MethodHandle);
        Ask("abstract by handle", typeof(Unfinished).GetMethod("Abstract")!.MethodHandle);
        Ask("static abstract by handle", typeof(ICounter).GetMethod("Count")!.MethodHandle);
        Unloaded();
        // A good handle still works after all that.
        Ask("good handle", typeof(Errors).GetMethod(nameof(Real), Any)!.MethodHandle);
    }

    private static void Unloaded()
    {
        (nint value, WeakReference context) = LoadAndUnload();
        for (int i = 0; i < 50 && context.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Log.Say("unloaded", "gone", (!context.IsAlive).ToString());
        Ask("unloaded", At(value));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (nint Value, WeakReference Context) LoadAndUnload()
    {
        AssemblyLoadContext context = new("gone", isCollectible: true);
        MethodInfo method = CollectibleKinds.Load(context);
        method.Invoke(null, [3]);
        Log.Say("unloaded", "alive", TieredCompilation.GetMethodState(method).Reason.ToString());
        nint value = method.MethodHandle.Value;
        context.Unload();
        return (value, new WeakReference(context));
    }

    private static RuntimeMethodHandle At(nint value) => Forged.Handle(typeof(Errors).GetMethod(nameof(Other), Any)!.MethodHandle, value);

    private static void Ask(string row, RuntimeMethodHandle handle)
    {
        Try(row, "poll", () => TieredCompilation.GetMethodCompilationStatus(handle).ToString());
        Try(row, "calls", () => TieredCompilation.GetCallsToNextTierPromotion(handle).ToString());
        Try(row, "state", () => TieredCompilation.GetMethodState(handle).Status.ToString()!);
        Try(row, "optimized", () => TieredCompilation.IsMethodFullyOptimized(handle).ToString());
        Try(row, "wait", () => TieredCompilation.WaitForFinalCompilationOrCallCountingReady(handle, bound).ToString());
        Try(row, "async wait", () => Finish(TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(handle, CancellationToken.None)));
        Try(row, "schedule", () => First(TieredCompilation.EnumerateTierPromotionCallCounts(handle, bound)));
        Try(row, "async schedule", () => First(TieredCompilation.EnumerateTierPromotionCallCountsAsync(handle, CancellationToken.None)));
    }

    private static void Ask(string row, MethodBase method)
    {
        Try(row, "poll", () => TieredCompilation.GetMethodCompilationStatus(method).ToString());
        Try(row, "calls", () => TieredCompilation.GetCallsToNextTierPromotion(method).ToString());
        Try(row, "state", () => TieredCompilation.GetMethodState(method).Status.ToString()!);
        Try(row, "optimized", () => TieredCompilation.IsMethodFullyOptimized(method).ToString());
        Try(row, "wait", () => TieredCompilation.WaitForFinalCompilationOrCallCountingReady(method, bound).ToString());
        Try(row, "schedule", () => First(TieredCompilation.EnumerateTierPromotionCallCounts(method, bound)));
    }

    private static string Finish(System.Threading.Tasks.ValueTask task)
    {
        task.AsTask().WaitAsync(bound).GetAwaiter().GetResult();
        return "done";
    }

    private static string First(IEnumerable<int> schedule)
    {
        foreach (int calls in schedule) return "asked for " + calls;
        return "ended";
    }

    private static string First(IAsyncEnumerable<int> schedule)
    {
        IAsyncEnumerator<int> steps = schedule.GetAsyncEnumerator();
        bool more = steps.MoveNextAsync().AsTask().WaitAsync(bound).GetAwaiter().GetResult();
        string result = more ? "asked for " + steps.Current : "ended";
        steps.DisposeAsync().AsTask().WaitAsync(bound).GetAwaiter().GetResult();
        return result;
    }

    private static void Try(string row, string at, Func<string> ask)
    {
        try { Log.Say(row, at, ask()); }
        catch (Exception exception) { Log.Failed(row, at, exception); }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Real(int x) => x * 109;

    /// <summary>Lends its handle's object to forged ones.</summary>
    private static int Other(int x) => x;
}
