// What     Kinds without IL of their own (P/Invoke, internal call, delegate Invoke, array accessor) and methods called from native code.
// What not No native library but libc.
// Threads  The caller's.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TierUp.Matrix;

internal static unsafe class NativeKinds
{
    private const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance;
    private static int sink;
    private static readonly int[,] table = new int[2, 2];

    public static void Add(List<Subject> to)
    {
        Func<int, int> invoked = static x => x + 1;
        delegate* unmanaged<int, int> exported = &Exported;
        nint pointer = (nint)exported;

        to.Add(new("P/Invoke", typeof(NativeKinds).GetMethod(nameof(getpid), Any)!, static () => sink += getpid()));
        to.Add(new("P/Invoke that marshals", typeof(NativeKinds).GetMethod(nameof(strlen), Any)!, static () => sink += (int)strlen("tier")));
        to.Add(new("delegate Invoke", typeof(Func<int, int>).GetMethod("Invoke")!, () => sink += invoked(3)));
        to.Add(new("array Get", typeof(int[,]).GetMethod("Get")!, static () => sink += table[1, 1]));
        to.Add(new("unmanaged callers only", typeof(NativeKinds).GetMethod(nameof(Exported), Any)!, () => sink += ((delegate* unmanaged<int, int>)pointer)(3)));
        MethodInfo? sine = typeof(Math).GetMethod(nameof(Math.Sin));
        if (sine is not null && (sine.MethodImplementationFlags & MethodImplAttributes.InternalCall) != 0)
        {
            to.Add(new("internal call", sine, static () => sink += (int)Math.Sin(sink)));
        }
        else
        {
            Log.Say("internal call", "absent", "Math.Sin is no internal call here");
        }
    }

    [DllImport("libc")]
    private static extern int getpid();

    [DllImport("libc", CharSet = CharSet.Ansi)]
    private static extern nint strlen(string text);

    [UnmanagedCallersOnly]
    private static int Exported(int x) => x * 101;
}
