// What     The methods whose stubs are recorded.
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TierUp.StubRecorder;

internal class Subjects
{
    public static int Sum;

    public delegate int Callback(int x);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int First(int x) => x * 3 + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Second(int x) => x * 5 + 2;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public virtual int Virtual(int x) => x * 7 + 3;

    [DllImport("libc", EntryPoint = "getppid")]
    public static extern int ParentProcess();

    public static RuntimeMethodHandle Handle(string name) =>
        typeof(Subjects).GetMethod(name, BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance)!.MethodHandle;

    /// <summary>A method whose body is one explicit tail call.</summary>
    public static MethodInfo ExplicitTailCall()
    {
        ModuleBuilder module = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("tail_calls"), AssemblyBuilderAccess.Run).DefineDynamicModule("tail_calls");
        TypeBuilder type = module.DefineType("TailCalls", TypeAttributes.Public | TypeAttributes.Class);
        MethodBuilder callee = type.DefineMethod("Callee", MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
        callee.SetImplementationFlags(MethodImplAttributes.NoInlining);
        ILGenerator il = callee.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ret);
        MethodBuilder method = type.DefineMethod("ExplicitTailCall", MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
        il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Tailcall);
        il.Emit(OpCodes.Call, callee);
        il.Emit(OpCodes.Ret);
        return type.CreateType().GetMethod("ExplicitTailCall")!;
    }
}
