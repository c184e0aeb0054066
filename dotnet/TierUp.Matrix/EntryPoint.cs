// What     Where a method's entry point leads now, read by plain loads from the stubs' own bytes: the differential's oracle.
// What not No use of TierUp, no data access library. Static methods on x64 only.
// Threads  Managed threads: the runtime removes a stub only while it has suspended them. A look takes some ns.
// Failure  Bytes that are no known stub are code: that is what the runtime's own call would run.
// Source   Stub bytes as disassembled on 8 to 11 (RUNTIME_FACTS.md "x64 stub bytes"); stages from vm/callcounting.h of dotnet/runtime.
using System.Runtime.CompilerServices;

namespace TierUp.Matrix;

internal enum EntryKind
{
    /// <summary>The next call goes through the prestub: no code, or code whose calls are counted from the next one on.</summary>
    Prestub,

    /// <summary>Through a counting stub.</summary>
    Counting,

    /// <summary>Straight into code: held by the delay, or counted out, or for good.</summary>
    Code,
}

internal readonly unsafe struct EntryPoint
{
    public EntryKind Kind { get; private init; }

    /// <summary>The code that a call runs now; 0 at the prestub.</summary>
    public nint Code { get; private init; }

    public int Remaining { get; private init; }

    /// <summary>0 the stub may not be active, 1 counting, 2 threshold reached, 3 complete.</summary>
    public int Stage { get; private init; }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static EntryPoint Read(nint entry)
    {
        nint target = entry;
        if (IsPrecode((byte*)entry))
        {
            target = Volatile((nint*)(entry + 6 + *(int*)(entry + 2)));
            if (target == entry + 6) return default;
        }
        byte* at = (byte*)target;
        if (!IsCountingStub(at)) return new() { Kind = EntryKind.Code, Code = target };
        byte* cell = *(byte**)(at + 7 + *(int*)(at + 3));
        return new()
        {
            Kind = EntryKind.Counting,
            Code = *(nint*)(at + 18 + *(int*)(at + 14)),
            Remaining = *(ushort*)cell,
            Stage = cell[2],
        };
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static nint Volatile(nint* slot) => System.Threading.Volatile.Read(ref *slot);

    /// <summary>jmp [target]; mov r10, [method]; jmp [prestub].</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static bool IsPrecode(byte* at) => *(ushort*)at == 0x25ff && at[6] == 0x4c && at[7] == 0x8b && at[8] == 0x15 && *(ushort*)(at + 13) == 0x25ff;

    /// <summary>mov rax, [cell]; dec word [rax]; je +6; jmp [target]; jmp [threshold].</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static bool IsCountingStub(byte* at) =>
        at[0] == 0x48 && at[1] == 0x8b && at[2] == 0x05 && at[7] == 0x66 && at[8] == 0xff && at[9] == 0x08 && at[10] == 0x74 && at[11] == 0x06 && *(ushort*)(at + 12) == 0x25ff;
}
