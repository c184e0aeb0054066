// What     The size-prefixed structs of the C header, field by field.
// What not No behaviour.
// Threads  Plain memory.
// Source   tierup.h, ABI version 1. Test: HeaderMirrorTests compares sizes and offsets with what the header's rules give.

using System.Runtime.InteropServices;

namespace TierUp.Native;

/// <summary>tierup_property.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeProperty
{
    internal byte* Name;
    internal byte* Value;
}

/// <summary>tierup_start_options.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeStartOptions
{
    internal uint Size;
    internal uint PropertyCount;
    internal NativeProperty* Properties;
    internal delegate* unmanaged[Cdecl]<void*, int, void> OnWaitEnded;
    internal uint SignalsMode;
    internal uint Reserved;
    internal delegate* unmanaged[Cdecl]<void> OnThreadBegan;
}

/// <summary>tierup_settings.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeSettings
{
    internal uint Size;
    internal uint CallCountThreshold;
    internal uint CallCountingDelayMs;
    internal uint BackgroundWorkerTimeoutMs;
    internal byte TieredCompilation;
    internal byte QuickJit;
    internal byte QuickJitForLoops;
    internal byte TieredPgo;
    internal byte InstrumentOnlyHotCode;
    internal byte CallCounting;
    internal byte CallCountingStubs;
    internal byte Osr;
}

/// <summary>tierup_capabilities.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeCapabilities
{
    internal uint Size;
    internal ushort RuntimeMajor;
    internal byte Polls;
    internal byte Tiers;
    internal byte* PollsReason;
    internal byte* TiersReason;
    internal byte* RuntimePath;
    internal byte* DacPath;
    internal byte* CopyDoor;
}

/// <summary>tierup_method_identity.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeMethodIdentity
{
    internal uint Size;
    internal uint Kinds;
    internal ulong RealMethod;
    internal ulong Module;
    internal ulong NativeCodeSlot;
    internal uint Token;
    internal uint Eligible;
}

/// <summary>tierup_code_version.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeCodeVersion
{
    internal ulong Code;
    internal ulong Node;
    internal uint Tier;
    internal uint IsActive;
}

/// <summary>tierup_method_state.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeMethodState
{
    internal const int EntryByteCount = 32;

    internal uint Size;
    internal uint Compilation;
    internal uint Reason;
    internal uint Tier;
    internal uint RemainingCalls;
    internal uint RemainingIsExact;
    internal uint VersionCount;
    internal uint Kinds;
    internal ulong EntryPoint;
    internal ulong ActiveCode;
    internal ulong RealMethod;
    internal fixed byte EntryBytes[EntryByteCount];
}
