// What     A lot of fresh, distinct, equally small methods, for scenarios that need several of one kind.
// What not Not for kinds: all of these are static generic methods over distinct value types.
// Threads  Each method is handed out once; callers may be many.
using System;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.Matrix;

internal static class Lot
{
    private static readonly Func<int, int>[] methods =
    [
        Fresh<Half>, Fresh<Guid>, Fresh<DateTime>, Fresh<TimeSpan>, Fresh<decimal>, Fresh<ushort>, Fresh<uint>, Fresh<ulong>, Fresh<sbyte>,
        Fresh<char>, Fresh<bool>, Fresh<nint>, Fresh<nuint>, Fresh<Int128>, Fresh<UInt128>, Fresh<DateTimeOffset>, Fresh<DateOnly>, Fresh<TimeOnly>,
        Fresh<(byte, int)>, Fresh<(int, int)>, Fresh<(long, long)>, Fresh<(short, short)>, Fresh<(float, float)>, Fresh<(double, double)>,
    ];

    private static int used;
    private static int sink;

    /// <summary>A subject nobody has called yet, known by its MethodBase.</summary>
    public static Subject Next(string name)
    {
        Func<int, int> method = methods[used++];
        return new Subject(name, method.Method, () => sink += method(3));
    }

    /// <summary>The same, known by its handle.</summary>
    public static Subject NextHandle(string name)
    {
        Func<int, int> method = methods[used++];
        return new Subject(name, method.Method.MethodHandle, () => sink += method(3));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Fresh<T>(int x) => x * 7 + Unsafe.SizeOf<T>();
}
