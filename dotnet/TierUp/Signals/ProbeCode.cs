// What     The only method of this assembly that the runtime tiers: a fresh instantiation of it is a method nobody has called.
// What not Called only through FreshProbes.
// Why      Each instantiation over a struct of its own is compiled and counted by itself.
// Source   RUNTIME facts, "Method kinds": generic methods over value types are not shared. Test: AttributeWalkTests knows this one exception.

using System.Runtime.CompilerServices;

namespace TierUp.Signals;

internal static class ProbeCode
{
    // No Code.Untiered here: being tiered is what it is for.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static int Beat<T>(int value)
        where T : struct
    {
        return value + 1;
    }

    /// <summary>One digit of a probe's number.</summary>
    internal struct Link<TDigit, TRest>
    {
    }
}
