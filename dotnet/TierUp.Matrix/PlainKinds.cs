// What     Kinds that C# writes down directly: static, instance, virtual, interface, property, lambda, iterator, constructor and so on.
// What not No generics, no async, nothing emitted: those have files of their own.
// Threads  The caller's.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.Matrix;

internal interface IShape
{
    int Area(int x);

    [MethodImpl(MethodImplOptions.NoInlining)]
    int Default(int x) => x * 13 + 1;
}

internal class Shape : IShape
{
    private int side = 3;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Area(int x) => x * side;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Instance(int x) => x + side;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public virtual int Virtual(int x) => x - side;

    public int Side
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        get => side;
        [MethodImpl(MethodImplOptions.NoInlining)]
        set => side = value;
    }
}

internal sealed class Square : Shape
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public override int Virtual(int x) => x * 17;
}

internal struct Dot : IShape
{
    public int X;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Area(int x) => x * X;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public readonly int Instance(int x) => x + X;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public override int GetHashCode() => X * 19;
}

internal sealed class WithConstructor
{
    public static readonly int[] Table = Array.ConvertAll([1, 2, 3], static x => x * 2);

    public readonly int Value;

    static WithConstructor()
    {
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public WithConstructor(int value) => Value = value;
}

internal static unsafe class PlainKinds
{
    private const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance;
    private static int sink;
    private static readonly object[] boxed = [3];

    public static void Add(List<Subject> to)
    {
        Shape shape = new(), square = new Square();
        IShape face = shape, boxedDot = new Dot { X = 3 };
        Dot dot = new() { X = 5 };
        Func<int, int> lambda = static x => x * 23;
        int captured = to.Count + 3;
        Func<int, int> closure = x => x * captured;
        [MethodImpl(MethodImplOptions.NoInlining)] static int Local(int x) => x * 29;
        Func<int, int> local = Local;
        MethodInfo reflected = Of(nameof(ByReflection));
        var byDelegate = Of(nameof(ByDelegate)).CreateDelegate<Func<int, int>>();
        delegate*<int, int> byPointer = &ByPointer;
        nint pointer = (nint)byPointer;
        IEnumerator<int> iterator = Endless().GetEnumerator();

        to.Add(new("static", Of(nameof(Static)), static () => sink += Static(3)));
        to.Add(new("instance", typeof(Shape).GetMethod("Instance")!, () => sink += shape.Instance(3)));
        to.Add(new("virtual", typeof(Shape).GetMethod("Virtual")!, () => sink += shape.Virtual(3)));
        to.Add(new("override", typeof(Square).GetMethod("Virtual")!, () => sink += square.Virtual(3)));
        to.Add(new("interface implementation", typeof(Shape).GetMethod("Area")!, () => sink += face.Area(3)));
        to.Add(new("interface default", typeof(IShape).GetMethod("Default")!, () => sink += face.Default(3)));
        to.Add(new("property get", typeof(Shape).GetProperty("Side")!.GetMethod!, () => sink += shape.Side));
        to.Add(new("property set", typeof(Shape).GetProperty("Side")!.SetMethod!, () => shape.Side = 3));
        to.Add(new("struct instance", typeof(Dot).GetMethod("Instance")!, () => sink += dot.Instance(3)));
        to.Add(new("struct interface", typeof(Dot).GetMethod("Area")!, () => sink += boxedDot.Area(3)));
        to.Add(new("struct override", typeof(Dot).GetMethod("GetHashCode")!, () => sink += boxedDot.GetHashCode()));
        to.Add(new("constructor", typeof(WithConstructor).GetConstructor([typeof(int)])!, static () => sink += new WithConstructor(3).Value));
        to.Add(new("lambda", lambda.Method, () => sink += lambda(3)));
        to.Add(new("closure", closure.Method, () => sink += closure(3)));
        to.Add(new("local function", local.Method, static () => sink += Local(3)));
        to.Add(new("iterator MoveNext", iterator.GetType().GetMethod("MoveNext", Any)!, () => iterator.MoveNext()));
        to.Add(new("synchronized", Of(nameof(Synchronized)), static () => sink += Synchronized(3)));
        to.Add(new("try", Of(nameof(Try)), static () => sink += Try(3)));
        to.Add(new("loop", Of(nameof(Loop)), static () => sink += Loop(9)));
        to.Add(new("by reflection", reflected, () => reflected.Invoke(null, boxed)));
        to.Add(new("by delegate", byDelegate.Method, () => sink += byDelegate(3)));
        to.Add(new("by function pointer", Of(nameof(ByPointer)), () => sink += ((delegate*<int, int>)pointer)(3)));
        to.Add(new("overload int", Of(nameof(Overload), typeof(int)), static () => sink += Overload(3)));
        to.Add(new("overload long", Of(nameof(Overload), typeof(long)), static () => sink += Overload(3L)));
        to.Add(new("known by handle", Of(nameof(KnownByHandle)).MethodHandle, static () => sink += KnownByHandle(3)));
        to.Add(new("aggressive optimization", Of(nameof(Aggressive)), static () => sink += Aggressive(3)));
        to.Add(new("no optimization", Of(nameof(NoOptimization)), static () => sink += NoOptimization(3)));
        to.Add(new("loop with localloc", Of(nameof(LocallocLoop)), static () => sink += LocallocLoop(9)));
        to.Add(new("never called", Of(nameof(NeverCalled)), null));

        to.Add(new("debug build", typeof(Unoptimized.Workload).GetMethod("Plain")!, static () => sink += Unoptimized.Workload.Plain(3)));
        to.Add(new("debug build loop", typeof(Unoptimized.Workload).GetMethod("Loop")!, static () => sink += Unoptimized.Workload.Loop(9)));

        RuntimeHelpers.PrepareMethod(Of(nameof(Prepared)).MethodHandle);
        to.Add(new("prepared", Of(nameof(Prepared)), static () => sink += Prepared(3)));
        RuntimeHelpers.RunClassConstructor(typeof(WithConstructor).TypeHandle);
        to.Add(new("class constructor", typeof(WithConstructor).TypeInitializer!, null));
    }

    private static MethodInfo Of(string name) => typeof(PlainKinds).GetMethod(name, Any)!;

    private static MethodInfo Of(string name, Type argument) => typeof(PlainKinds).GetMethod(name, Any, [argument])!;

    private static IEnumerable<int> Endless()
    {
        for (int i = 0; ; i++) yield return i;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] private static int Static(int x) => x * 31;

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.Synchronized)] private static int Synchronized(int x) => x * 37;

    [MethodImpl(MethodImplOptions.NoInlining)] private static int ByReflection(int x) => x * 41;

    [MethodImpl(MethodImplOptions.NoInlining)] private static int ByDelegate(int x) => x * 43;

    [MethodImpl(MethodImplOptions.NoInlining)] private static int ByPointer(int x) => x * 47;

    [MethodImpl(MethodImplOptions.NoInlining)] private static int Overload(int x) => x * 53;

    [MethodImpl(MethodImplOptions.NoInlining)] private static int Overload(long x) => (int)x * 59;

    [MethodImpl(MethodImplOptions.NoInlining)] private static int KnownByHandle(int x) => x * 61;

    [MethodImpl(MethodImplOptions.NoInlining)] private static int Prepared(int x) => x * 67;

    [MethodImpl(MethodImplOptions.NoInlining)] private static int NeverCalled(int x) => x * 71;

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)] private static int Aggressive(int x) => x * 73;

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)] private static int NoOptimization(int x) => x * 79;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Try(int x)
    {
        try { return boxed.Length / x; }
        catch (DivideByZeroException) { return -1; }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Loop(int n)
    {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i ^ n;
        return sum;
    }

    /// <summary>A localloc whose size is not known keeps the JIT from on-stack replacement, so it optimizes at once.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int LocallocLoop(int n)
    {
        int* items = stackalloc int[n];
        int sum = 0;
        for (int i = 0; i < n; i++) { items[i] = i; sum += items[i] ^ n; }
        return sum;
    }
}
