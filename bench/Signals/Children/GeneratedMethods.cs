// What     Distinct methods of a chosen size: emitted into an ordinary (not collectible) dynamic module, which tiers like any other code.
// What not Calls none of them: they come cold, with their stable entry points, which compiles nothing.
// Threads  Built once by one thread, then read only.

using System;
using System.Globalization;
using System.Reflection;
using System.Reflection.Emit;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Signals.Children;

internal static class GeneratedMethods
{
    private const int Multiplier = 31;

    /// <summary>So that a compiler meets many small trees, not one deep one.</summary>
    private const int StepsPerStatement = 4;

    /// <summary>Emits static methods int(int) of `steps` multiplications, additions and exclusive ors that no compiler can fold.</summary>
    internal static Subject[] Emit(string prefix, int count, int steps)
    {
        AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName(prefix), AssemblyBuilderAccess.Run);
        TypeBuilder type = assembly.DefineDynamicModule(prefix).DefineType(prefix, TypeAttributes.Public | TypeAttributes.Class);
        for (int i = 0; i < count; i++)
        {
            string name = prefix + "_" + i.ToString("d4", CultureInfo.InvariantCulture);
            MethodBuilder method = type.DefineMethod(name, MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
            EmitBody(method.GetILGenerator(), i, steps);
        }

        MethodInfo[] made = type.CreateType().GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly);
        Array.Sort(made, (a, b) => string.CompareOrdinal(a.Name, b.Name));
        return Array.ConvertAll(made, method => new Subject(method.Name, method.MethodHandle));
    }

    private static void EmitBody(ILGenerator body, int seed, int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            if (step % StepsPerStatement == 0)
            {
                body.Emit(OpCodes.Ldarg_0);
            }

            body.Emit(OpCodes.Ldc_I4, Multiplier + (seed * 2) + step);
            body.Emit((step % 3) switch { 0 => OpCodes.Mul, 1 => OpCodes.Xor, _ => OpCodes.Add });
            if (step % StepsPerStatement == StepsPerStatement - 1 || step == steps - 1)
            {
                body.Emit(OpCodes.Starg_S, (byte)0);
            }
        }

        body.Emit(OpCodes.Ldarg_0);
        body.Emit(OpCodes.Ret);
    }
}
