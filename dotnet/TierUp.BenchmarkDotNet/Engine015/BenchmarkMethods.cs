// What     Finds the methods behind a benchmark's actions: the [Benchmark] method, its state machine, the lambda around it, the overhead twin.
// What not No callees.
// Threads  The engine's.
// Failure  What is not found is left out; the stage then drives by publications alone.
// Source   BenchmarkDotNet 0.15.8: Templates/BenchmarkType.txt and RunnableConstants (workloadDelegate, overheadDelegate), BenchmarkActionFactory (callback, startTaskCallback).

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Engines;

namespace TierUp.BenchmarkDotNet.Engine015;

internal sealed class BenchmarkMethods
{
    private const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private static readonly string[] workloadFields = ["workloadDelegate", "startTaskCallback", "callback"];
    private static readonly string[] overheadFields = ["overheadDelegate", "callback"];

    private BenchmarkMethods(Type? type, IReadOnlyList<MethodBase> workloads, IReadOnlyList<MethodBase> overheads)
    {
        Type = type;
        Workloads = workloads;
        Overheads = overheads;
    }

    /// <summary>The class with the benchmark.</summary>
    internal Type? Type { get; }

    internal IReadOnlyList<MethodBase> Workloads { get; }

    internal IReadOnlyList<MethodBase> Overheads { get; }

    internal static BenchmarkMethods Find(EngineParameters parameters)
    {
        Delegate[] workloads = DelegatesOf(parameters.WorkloadActionNoUnroll.Target, workloadFields);
        Delegate[] overheads = DelegatesOf(parameters.OverheadActionNoUnroll.Target, overheadFields);
        Type? type = TypeOf(parameters.WorkloadActionNoUnroll.Target, workloads);
        List<MethodBase> found = new List<MethodBase>();
        if (BenchmarkMethod(type, parameters.BenchmarkName, workloads) is { } benchmark)
        {
            found.Add(benchmark);
            if (MoveNextOf(benchmark) is { } moveNext)
            {
                found.Add(moveNext);
            }
        }

        found.AddRange(workloads.Select(one => one.Method).Where(method => !found.Contains(method)));
        return new BenchmarkMethods(type, found, overheads.Select(one => one.Method).ToArray());
    }

    private static Delegate[] DelegatesOf(object? owner, string[] names)
    {
        List<Delegate> found = new List<Delegate>();
        for (Type? type = owner?.GetType(); type is not null; type = type.BaseType)
        {
            foreach (string name in names)
            {
                if (type.GetField(name, Declared)?.GetValue(owner) is Delegate one && one.GetInvocationList().Length == 1)
                {
                    found.Add(one);
                }
            }
        }

        return found.ToArray();
    }

    private static Type? TypeOf(object? owner, Delegate[] workloads)
    {
        // Generated and emitted runnables derive from the class; actions of the no-emit toolchain hold a delegate of it.
        Type? runnable = owner?.GetType();
        if (runnable is not null && runnable.Assembly != typeof(IEngine).Assembly)
        {
            return runnable.BaseType == typeof(object) ? workloads.FirstOrDefault()?.Method.DeclaringType : runnable.BaseType;
        }

        Delegate? own = workloads.FirstOrDefault(one => one.Method.DeclaringType?.Assembly != typeof(IEngine).Assembly);
        return own?.Target?.GetType() ?? own?.Method.DeclaringType;
    }

    private static MethodInfo? BenchmarkMethod(Type? type, string? benchmarkName, Delegate[] workloads)
    {
        Delegate? direct = workloads.FirstOrDefault(one => one.Method.IsDefined(typeof(BenchmarkAttribute), inherit: true));
        if (direct is not null || type is null || benchmarkName is null)
        {
            return direct?.Method;
        }

        string name = benchmarkName.Split('(')[0].Split('.')[^1];
        return type.GetMethods(Declared & ~BindingFlags.DeclaredOnly | BindingFlags.FlattenHierarchy)
            .FirstOrDefault(method => method.Name == name && method.IsDefined(typeof(BenchmarkAttribute), inherit: true));
    }

    private static MethodInfo? MoveNextOf(MethodInfo method)
    {
        Type? machine = method.GetCustomAttribute<AsyncStateMachineAttribute>()?.StateMachineType;
        if (machine is null)
        {
            return null;
        }

        if (machine.ContainsGenericParameters)
        {
            Type[] arguments = [.. method.DeclaringType?.GetGenericArguments() ?? [], .. method.GetGenericArguments()];
            machine = arguments.Length == machine.GetGenericArguments().Length ? machine.MakeGenericType(arguments) : null;
        }

        return machine?.GetMethod("MoveNext", Declared);
    }
}
