// What     Remembers which registered methods are static constructors, so that a cold one is given no schedule.
// What not No state: once it ran, the native library says so itself (reason CLASS_CONSTRUCTOR).
// Threads  [any]; Add under a lock, Contains without.
// Failure  A lost handle would make a schedule yield 1 for a method nobody can call: harmless.

using System.Runtime.CompilerServices;

namespace TierUp.Runtime;

internal static class ClassConstructors
{
    // Replaced as a whole, never changed. Registered methods are never unloaded, so an address is never used again.
    private static volatile nint[]? s_methods;

    [MethodImpl(Code.Untiered)]
    internal static void Add(nint method)
    {
        lock (TieringHost.Gate())
        {
            nint[]? old = s_methods;
            if (Contains(method))
            {
                return;
            }

            int count = old is null ? 0 : old.Length;
            nint[] grown = new nint[count + 1];
            for (int i = 0; i < count; i++)
            {
                grown[i] = old![i];
            }

            grown[count] = method;
            s_methods = grown;
        }
    }

    [MethodImpl(Code.Untiered)]
    internal static bool Contains(nint method)
    {
        nint[]? methods = s_methods;
        if (methods is null)
        {
            return false;
        }

        for (int i = 0; i < methods.Length; i++)
        {
            if (methods[i] == method)
            {
                return true;
            }
        }

        return false;
    }
}
