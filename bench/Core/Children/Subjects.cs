// What     Small distinct methods to drive: emitted into an ordinary (not collectible) dynamic module, which tiers like any other code.
// What not Not called by name: the benches call through the stable entry point, which the runtime counts one to one.
// Threads  Built once by one thread, then read only.

using System;
using System.Globalization;
using System.Reflection;
using System.Reflection.Emit;

namespace TierUp.Bench.Core.Children;

/// <summary>One method to drive.</summary>
internal readonly struct Subject
{
    internal Subject(string name, RuntimeMethodHandle handle)
    {
        Name = name;
        Handle = handle;
        EntryPoint = handle.GetFunctionPointer();
    }

    internal string Name { get; }

    internal RuntimeMethodHandle Handle { get; }

    /// <summary>Gets the stable entry point; asking for it compiles nothing.</summary>
    internal nint EntryPoint { get; }
}

internal static class Subjects
{
    private const int Multiplier = 31;

    /// <summary>Emits static methods int(int) that differ in their constants: prefix_000, prefix_001, …</summary>
    internal static Subject[] Emit(string prefix, int count)
    {
        AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName(prefix), AssemblyBuilderAccess.Run);
        TypeBuilder type = assembly.DefineDynamicModule(prefix).DefineType(prefix, TypeAttributes.Public | TypeAttributes.Class);
        for (int i = 0; i < count; i++)
        {
            MethodBuilder method = type.DefineMethod(
                NameOf(prefix, i), MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
            ILGenerator body = method.GetILGenerator();
            body.Emit(OpCodes.Ldarg_0);
            body.Emit(OpCodes.Ldc_I4, Multiplier + i);
            body.Emit(OpCodes.Mul);
            body.Emit(OpCodes.Ldc_I4, i);
            body.Emit(OpCodes.Add);
            body.Emit(OpCodes.Ret);
        }

        Type made = type.CreateType();
        Subject[] subjects = new Subject[count];
        for (int i = 0; i < count; i++)
        {
            string name = NameOf(prefix, i);
            subjects[i] = new Subject(name, made.GetMethod(name)!.MethodHandle);
        }

        return subjects;
    }

    private static string NameOf(string prefix, int index)
    {
        return prefix + "_" + index.ToString("d3", CultureInfo.InvariantCulture);
    }
}
