// What     One emitted method that takes the compiler long: while the background worker is at it, what is queued behind it waits.
// What not Nothing about it is measured, and what it returns means nothing.
// Threads  Immutable once made.
using System.Reflection;
using System.Reflection.Emit;

namespace TierUp.Matrix;

internal static class HeavyMethod
{
    /// <summary>32,000 bytes of IL, 16,000 instructions: below what makes the compiler give optimization up (60,000 and 20,000: DEFAULT_MIN_OPTS_* in jit/compiler.h).</summary>
    private const int Steps = 4000;

    /// <summary>Nobody has called it yet. The stable entry point, as EntryPoint.Read and FreshMethods.Call want it.</summary>
    public static nint Make()
    {
        TypeBuilder type = AssemblyBuilder.DefineDynamicAssembly(new("TierUp.Matrix.heavy"), AssemblyBuilderAccess.Run).DefineDynamicModule("heavy")
            .DefineType("Heavy", TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed);
        ILGenerator il = type.DefineMethod("Work", MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]).GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        for (int i = 0; i < Steps; i++)
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldc_I4, i);
            il.Emit(OpCodes.Xor);
            il.Emit(OpCodes.Add);
        }
        il.Emit(OpCodes.Ret);
        return type.CreateType().GetMethod("Work")!.MethodHandle.GetFunctionPointer();
    }
}
