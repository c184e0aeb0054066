// What     The structs of the C header's parts "Signals" and "Event streams", field by field.
// What not No behaviour.
// Threads  Plain memory.
// Source   tierup.h, ABI version 1. Test: HeaderMirrorTests compares the sizes with what the header's rules give.

using System.Runtime.InteropServices;

namespace TierUp.Native;

/// <summary>tierup_signals.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeSignals
{
    internal uint Size;
    internal byte State;
    internal byte LoadedAtStartup;
    internal byte QueueView;
    internal byte BatchKnown;
    internal byte MethodEventsOn;
    internal fixed byte Reserved[3];
    internal byte* StateReason;
    internal byte* QueueViewReason;
    internal byte* FoundBy;
    internal ulong AttachNs;
    internal ulong EventsReceived;
    internal ulong MethodEventsReceived;
    internal ulong SessionsStarted;
    internal ulong ManagerAddress;
}

/// <summary>tierup_pending_compilation.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativePendingCompilation
{
    internal ulong Method;
    internal ulong Node;
    internal uint State;
    internal uint TargetTier;
}

/// <summary>tierup_event.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeEvent
{
    /// <summary>TIERUP_EVENT_NAMES_CUT, TIERUP_EVENT_COUNT_IS_AT_LEAST.</summary>
    internal const uint NamesCutFlag = 1;
    internal const uint CountIsAtLeastFlag = 2;

    internal uint Size;
    internal byte Kind;
    internal byte Tier;
    internal ushort NameUnits;
    internal ulong Sequence;
    internal ulong TimeNs;
    internal ulong Method;
    internal ulong Module;
    internal ulong Code;
    internal ulong Node;
    internal uint CodeBytes;
    internal uint Token;
    internal uint Thread;
    internal uint Count;
    internal uint Jitted;
    internal uint Flags;
}

/// <summary>tierup_events_options.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeEventsOptions
{
    internal uint Size;
    internal uint Names;
    internal ulong CapacityBytes;
}
