// What     Kinds that C# can't write: an explicit tail call, code that begins with a jump, a huge method, a DynamicMethod.
// What not Nothing collectible but the DynamicMethod.
// Threads  The caller's.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;

namespace TierUp.Matrix;

internal static class EmittedKinds
{
    /// <summary>More basic blocks than the JIT optimizes (DEFAULT_MIN_OPTS_BB_COUNT, 2,000 in jit/compiler.h).</summary>
    private const int HugeBlocks = 2500;

    private static int sink;

    public static void Add(List<Subject> to)
    {
        TypeBuilder builder = AssemblyBuilder.DefineDynamicAssembly(new("TierUp.Matrix.Emitted"), AssemblyBuilderAccess.Run)
            .DefineDynamicModule("emitted").DefineType("Emitted", TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed);
        MethodBuilder target = Define(builder, "Target");
        Arithmetic(target.GetILGenerator());
        TailCall(Define(builder, "TailCall"), target);
        Huge(Define(builder, "Huge").GetILGenerator());
        Arithmetic(Define(builder, "Emitted").GetILGenerator());
        Type type = builder.CreateType();

        to.Add(Subject("emitted", type, "Emitted"));
        to.Add(Subject("explicit tail call", type, "TailCall"));
        to.Add(Subject("tail call target", type, "Target"));
        to.Add(Subject("huge", type, "Huge"));

        DynamicMethod dynamic = new("Dynamic", typeof(int), [typeof(int)], typeof(EmittedKinds).Module);
        Arithmetic(dynamic.GetILGenerator());
        var call = dynamic.CreateDelegate<Func<int, int>>();
        // DynamicMethod.MethodHandle throws; the handle that the runtime uses is behind an internal method of the same name on 8 to 11.
        object? handle = typeof(DynamicMethod).GetMethod("GetMethodDescriptor", BindingFlags.NonPublic | BindingFlags.Instance)?.Invoke(dynamic, null);
        if (handle is RuntimeMethodHandle known) to.Add(new("dynamic method", known, () => sink += call(3)));
        else Log.Say("dynamic method", "absent", "DynamicMethod.GetMethodDescriptor is not there");
        keep.Add(dynamic);
        keep.Add(call);
    }

    /// <summary>Holds what only a handle names.</summary>
    private static readonly List<object> keep = [];

    private static Subject Subject(string name, Type type, string method)
    {
        MethodInfo found = type.GetMethod(method)!;
        var call = found.CreateDelegate<Func<int, int>>();
        return new(name, found, () => sink += call(3));
    }

    private static MethodBuilder Define(TypeBuilder type, string name)
    {
        MethodBuilder method = type.DefineMethod(name, MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
        method.SetImplementationFlags(MethodImplAttributes.NoInlining);
        return method;
    }

    private static void Arithmetic(ILGenerator il)
    {
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4, 103);
        il.Emit(OpCodes.Mul);
        il.Emit(OpCodes.Ret);
    }

    private static void TailCall(MethodBuilder method, MethodInfo target)
    {
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Tailcall);
        il.Emit(OpCodes.Call, target);
        il.Emit(OpCodes.Ret);
    }

    private static void Huge(ILGenerator il)
    {
        for (int i = 0; i < HugeBlocks; i++)
        {
            Label next = il.DefineLabel();
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldc_I4, i + 1000);
            il.Emit(OpCodes.Bne_Un, next);
            il.Emit(OpCodes.Ldc_I4, i);
            il.Emit(OpCodes.Starg, (short)0);
            il.MarkLabel(next);
        }
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ret);
    }
}
