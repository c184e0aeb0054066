// What     From a method descriptor's address to a name and a reflection object.
// What not Keeps nothing alive: only methods that can't be unloaded are ever promoted.
// Threads  [any]
// Failure  A name is never missing: the address stands for it. null for a reflection object that can't be had safely.
// Source   tierup_method_name and tierup_method_inspect in tierup.h: any number is safe to ask.

using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal static unsafe class MethodNaming
{
    private const int FirstBytes = 1024;

    /// <summary>A generic instantiation's name can be long; more of it nobody reads.</summary>
    private const uint MaxBytes = 64 * 1024;

    [MethodImpl(Code.Untiered)]
    internal static string NameOf(nint method)
    {
        if (method == 0)
        {
            return "(a method not known)";
        }

        byte* first = stackalloc byte[FirstBytes];
        NativeStatus status = SignalFunctions.Name(method, first, FirstBytes, out uint needed);
        if (status != NativeStatus.Ok)
        {
            return string.Concat("0x", method.ToString("x", CultureInfo.InvariantCulture));
        }

        return needed <= FirstBytes ? NativeText.Read(first) : LongNameOf(method, needed < MaxBytes ? needed : MaxBytes, first);
    }

    [MethodImpl(Code.Untiered)]
    internal static MethodBase? TryFind(nint method)
    {
        const MethodKinds Unsafe = MethodKinds.Collectible | MethodKinds.Dynamic | MethodKinds.Unvalidated;
        if (NativeFunctions.InspectMethod(method, out NativeMethodIdentity identity) != NativeStatus.Ok || ((MethodKinds)identity.Kinds & Unsafe) != 0)
        {
            return null;
        }

        return MethodReflection.Find(System.RuntimeMethodHandle.FromIntPtr(method));
    }

    [MethodImpl(Code.Untiered)]
    private static string LongNameOf(nint method, uint bytes, byte* beginning)
    {
        byte* buffer = (byte*)NativeMemory.Alloc(bytes);
        try
        {
            return NativeText.Read(SignalFunctions.Name(method, buffer, bytes, out _) == NativeStatus.Ok ? buffer : beginning);
        }
        finally
        {
            NativeMemory.Free(buffer);
        }
    }
}
