// What     Async kinds: the stub and the MoveNext of a compiler-made state machine, and runtime-async methods where the runtime has them.
// What not Nothing awaits for real: the tasks awaited are completed, so that a call is one call of MoveNext.
// Threads  The caller's.
using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class AsyncKinds
{
    /// <summary>MethodImplAttributes.Async (0x2000) of System.Reflection on .NET 10 and later.</summary>
    private const MethodImplAttributes Async = (MethodImplAttributes)0x2000;

    private static int sink;

    public static void Add(List<Subject> to)
    {
        MethodInfo stub = typeof(AsyncKinds).GetMethod(nameof(Machine), BindingFlags.NonPublic | BindingFlags.Static)!;
        to.Add(new("async stub", stub, static () => sink += Machine(3).Result));
        to.Add(new("async MoveNext", Stepper(nameof(Other)), static () => sink += Other(3).Result));
        AddRuntimeAsync(to);
    }

    private static MethodInfo Stepper(string name) =>
        typeof(AsyncKinds).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!.GetCustomAttribute<AsyncStateMachineAttribute>()!
            .StateMachineType.GetMethod("MoveNext", BindingFlags.NonPublic | BindingFlags.Instance)!;

    private static void AddRuntimeAsync(List<Subject> to)
    {
        const string Row = "runtime-async";
        string path = Path.Combine(AppContext.BaseDirectory, "TierUp.Matrix.RuntimeAsync.dll");
        if (!File.Exists(path)) { Log.Say(Row, "absent", "TierUp.Matrix.RuntimeAsync.dll was not built"); return; }
        if (Environment.Version.Major < 11) { Log.Say(Row, "absent", "runtime-async needs .NET 11"); return; }
        MethodInfo method = Assembly.LoadFrom(path).GetType("TierUp.Matrix.RuntimeAsync.Workload")!.GetMethod("AddAsync")!;
        if ((method.MethodImplementationFlags & Async) == 0) { Log.Say(Row, "absent", "the compiler made a state machine"); return; }
        Func<int, Task<int>> call = method.CreateDelegate<Func<int, Task<int>>>();
        to.Add(new(Row, method, () => sink += call(3).Result));
    }

    private static async Task<int> Machine(int x)
    {
        await Task.CompletedTask;
        return x * 89;
    }

    private static async Task<int> Other(int x)
    {
        await Task.CompletedTask;
        return x * 97;
    }
}
