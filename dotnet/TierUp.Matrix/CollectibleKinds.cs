// What     Methods whose code can be unloaded: a collectible load context, AssemblyBuilder RunAndCollect.
// What not What happens after an unload: that is in Errors.
// Threads  The caller's.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace TierUp.Matrix;

/// <summary>Loaded a second time into a collectible context.</summary>
public static class Unloadable
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Work(int x) => x * 107;
}

internal static class CollectibleKinds
{
    private static int sink;

    public static void Add(List<Subject> to)
    {
        MethodInfo loaded = Load(new AssemblyLoadContext("collectible", isCollectible: true));
        var callLoaded = loaded.CreateDelegate<Func<int, int>>();
        to.Add(new("collectible load context", loaded, () => sink += callLoaded(3)));

        TypeBuilder builder = AssemblyBuilder.DefineDynamicAssembly(new("TierUp.Matrix.Collected"), AssemblyBuilderAccess.RunAndCollect)
            .DefineDynamicModule("collected").DefineType("Collected", TypeAttributes.Public);
        MethodBuilder method = builder.DefineMethod("Work", MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
        method.SetImplementationFlags(MethodImplAttributes.NoInlining);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ret);
        MethodInfo emitted = builder.CreateType().GetMethod("Work")!;
        var callEmitted = emitted.CreateDelegate<Func<int, int>>();
        to.Add(new("run and collect", emitted, () => sink += callEmitted(3)));
    }

    /// <summary>The copy of <see cref="Unloadable.Work"/> in the given context.</summary>
    public static MethodInfo Load(AssemblyLoadContext context) =>
        context.LoadFromAssemblyPath(typeof(Unloadable).Assembly.Location).GetType(typeof(Unloadable).FullName!)!.GetMethod("Work")!;
}
