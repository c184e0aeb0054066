// What     Thousands of distinct tiny methods that nobody has called, emitted into a module that is not collectible, called by function pointer.
// What not Calls none of them by itself.
// Threads  Immutable once made.
using System;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace TierUp.Matrix;

internal sealed unsafe class FreshMethods
{
    /// <summary>Per type: few enough for the runtime's 16-bit slot numbers, many enough that types cost little.</summary>
    private const int PerType = 500;

    private int used;

    public FreshMethods(string name, int count, AssemblyBuilderAccess access = AssemblyBuilderAccess.Run)
    {
        Handles = new RuntimeMethodHandle[count];
        Entries = new nint[count];
        Methods = new MethodInfo[count];
        ModuleBuilder module = AssemblyBuilder.DefineDynamicAssembly(new("TierUp.Matrix." + name), access).DefineDynamicModule(name);
        for (int made = 0; made < count; made += PerType) Make(module, made, Math.Min(PerType, count - made));
    }

    public RuntimeMethodHandle[] Handles { get; }

    public MethodInfo[] Methods { get; }

    /// <summary>The stable entry points, as EntryPoint.Read and Call want them.</summary>
    public nint[] Entries { get; }

    /// <summary>Where the next so many methods that nobody took begin.</summary>
    public int Take(int count)
    {
        int from = used;
        used += count;
        return used <= Entries.Length ? from : throw new InvalidOperationException($"{used} of {Entries.Length} fresh methods were asked for");
    }

    /// <summary>Optimized at once, so that the calling itself never tiers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static int Call(nint entry, int times)
    {
        var method = (delegate*<int, int>)entry;
        int sum = 0;
        for (int i = 0; i < times; i++) sum += method(i);
        return sum;
    }

    private void Make(ModuleBuilder module, int from, int count)
    {
        TypeBuilder type = module.DefineType("Fresh" + from, TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed);
        for (int i = from; i < from + count; i++)
        {
            MethodBuilder method = type.DefineMethod("M" + i, MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
            ILGenerator il = method.GetILGenerator();
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldc_I4, i);
            il.Emit(OpCodes.Add);
            il.Emit(OpCodes.Ret);
        }
        MethodInfo[] made = type.CreateType().GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly);
        for (int i = 0; i < count; i++)
        {
            Methods[from + i] = made[i];
            Handles[from + i] = made[i].MethodHandle;
            Entries[from + i] = made[i].MethodHandle.GetFunctionPointer();
        }
    }
}
