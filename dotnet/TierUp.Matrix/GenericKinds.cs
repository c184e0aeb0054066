// What     Generic kinds: types and methods over value, reference and mixed arguments, shared code, static abstract members.
// What not Open generics: those are in Errors.
// Threads  The caller's.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.Matrix;

internal class Box<T>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Static(int x) => x + typeof(T).GetHashCode();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Instance(int x) => x - typeof(T).GetHashCode();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public virtual int Virtual(int x) => x ^ typeof(T).GetHashCode();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Method<U>(int x) => x + typeof(U).GetHashCode();
}

internal sealed class Pair<T, U>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Static(int x) => x + typeof(T).GetHashCode() - typeof(U).GetHashCode();
}

internal struct Cell<T>
{
    public T Value = default!;

    public Cell()
    {
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public readonly int Instance(int x) => x + typeof(T).GetHashCode();
}

internal interface ICounter
{
    static abstract int Count(int x);
}

internal sealed class Counter : ICounter
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Count(int x) => x * 83;
}

internal static class GenericKinds
{
    private static int sink;

    public static void Add(List<Subject> to)
    {
        Box<string> text = new();
        Box<int> number = new();
        Cell<string> textCell = new();
        Cell<int> numberCell = new();

        to.Add(new("static of generic over value", Of(typeof(Box<int>), "Static"), static () => sink += Box<int>.Static(3)));
        to.Add(new("static of generic over reference", Of(typeof(Box<string>), "Static"), static () => sink += Box<string>.Static(3)));
        to.Add(new("static of generic over mixed", Of(typeof(Pair<int, string>), "Static"), static () => sink += Pair<int, string>.Static(3)));
        to.Add(new("instance of generic over value", Of(typeof(Box<int>), "Instance"), () => sink += number.Instance(3)));
        to.Add(new("instance of generic over reference", Of(typeof(Box<string>), "Instance"), () => sink += text.Instance(3)));
        to.Add(new("virtual of generic over reference", Of(typeof(Box<string>), "Virtual"), () => sink += text.Virtual(3)));
        to.Add(new("method over value", Of(typeof(GenericKinds), "Single", typeof(int)), static () => sink += Single<int>(3)));
        to.Add(new("method over other value", Of(typeof(GenericKinds), "Single", typeof(long)), static () => sink += Single<long>(3)));
        to.Add(new("method over reference", Of(typeof(GenericKinds), "Single", typeof(string)), static () => sink += Single<string>(3)));
        to.Add(new("method over mixed", Of(typeof(GenericKinds), "Double", typeof(string), typeof(int)), static () => sink += Double<string, int>(3)));
        to.Add(new("generic method of generic over value", Of(typeof(Box<int>), "Method", typeof(long)), static () => sink += Box<int>.Method<long>(3)));
        to.Add(new("generic method of generic over reference", Of(typeof(Box<object>), "Method", typeof(string)), static () => sink += Box<object>.Method<string>(3)));
        to.Add(new("method of generic struct over value", Of(typeof(Cell<int>), "Instance"), () => sink += numberCell.Instance(3)));
        to.Add(new("method of generic struct over reference", Of(typeof(Cell<string>), "Instance"), () => sink += textCell.Instance(3)));
        to.Add(new("static abstract implementation", Of(typeof(Counter), "Count"), static () => sink += Through<Counter>(3)));
        to.Add(new("generic known by handle", Of(typeof(Box<short>), "Static").MethodHandle, static () => sink += Box<short>.Static(3)));
    }

    private static MethodInfo Of(Type type, string name, params Type[] arguments)
    {
        MethodInfo method = type.GetMethod(name, BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance)!;
        return arguments.Length == 0 ? method : method.MakeGenericMethod(arguments);
    }

    [MethodImpl(MethodImplOptions.NoInlining)] private static int Single<T>(int x) => x + typeof(T).GetHashCode();

    [MethodImpl(MethodImplOptions.NoInlining)] private static int Double<T, U>(int x) => x - typeof(T).GetHashCode() + typeof(U).GetHashCode();

    private static int Through<T>(int x) where T : ICounter => T.Count(x);
}
