// What     The exported functions of the C header's parts "Signals" and "Event streams" as function pointers, one small caller each.
// What not Decides nothing. All are there or the name of a missing one is: an older library lacks them.
// Threads  PendingCount: without a GC transition (a few loads). All others: [preemptive], ordinary unmanaged calls.
// Why      As NativeFunctions: no static constructor, no try block around a native call.

using System.Runtime.CompilerServices;

namespace TierUp.Native;

internal static unsafe class SignalFunctions
{
    /// <summary>tierup_pending_count, bit 32: the count is known.</summary>
    internal const ulong CountIsKnown = 1UL << 32;

    internal static delegate* unmanaged[Cdecl]<NativeSignals*, NativeStatus> GetSignals;
    internal static delegate* unmanaged[Cdecl]<NativeStatus> RequestSignals;
    internal static delegate* unmanaged[Cdecl]<ulong, NativeStatus> OfferProbe;
    internal static delegate* unmanaged[Cdecl]<NativePendingCompilation*, uint, uint*, NativeStatus> ListPending;
    internal static delegate* unmanaged[Cdecl]<ulong, byte*, uint, uint*, NativeStatus> MethodName;
    internal static delegate* unmanaged[Cdecl]<NativeEventsOptions*, ulong*, NativeStatus> EventsOpen;
    internal static delegate* unmanaged[Cdecl]<ulong, void*, uint, uint*, NativeStatus> EventsRead;
    internal static delegate* unmanaged[Cdecl]<ulong, NativeStatus> EventsClose;

    // delegate* unmanaged[Cdecl, SuppressGCTransition]<ulong>. Safe to call at any time after binding: it says "not known" before the start.
    private static volatile nint s_pendingCount;
    private static string? s_missing;

    /// <summary>Gets a value indicating whether the library has signals at all.</summary>
    internal static bool AreBound
    {
        [MethodImpl(Code.Untiered)]
        get { return s_pendingCount != 0; }
    }

    /// <summary>Gets the names of the exports that an older library lacks, or "".</summary>
    internal static string Missing
    {
        [MethodImpl(Code.Untiered)]
        get { return s_missing ?? ""; }
    }

    [MethodImpl(Code.Untiered)]
    internal static void Publish(nint pendingCount, string missing)
    {
        s_missing = missing;
        s_pendingCount = pendingCount;
    }

    /// <summary>The count with <see cref="CountIsKnown"/>; 0, not known, where the library has no signals.</summary>
    [MethodImpl(Code.Untiered)]
    internal static ulong PendingCount()
    {
        nint pendingCount = s_pendingCount;
        return pendingCount == 0 ? 0 : ((delegate* unmanaged[Cdecl, SuppressGCTransition]<ulong>)pendingCount)();
    }

    /// <summary>What the library says of its signals; "not needed yet" where it says nothing.</summary>
    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeSignals ReadSignals()
    {
        NativeSignals signals = default;
        signals.Size = (uint)sizeof(NativeSignals);
        NativeStatus status = GetSignals(&signals);
        return status == NativeStatus.Ok ? signals : default;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus Request()
    {
        return RequestSignals();
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus Offer(nint method)
    {
        return OfferProbe((ulong)method);
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus List(NativePendingCompilation* items, uint capacity, out uint count)
    {
        uint found = 0;
        NativeStatus status = ListPending(items, capacity, &found);
        count = found;
        return status;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus Name(nint method, byte* buffer, uint capacity, out uint needed)
    {
        uint bytes = 0;
        NativeStatus status = MethodName((ulong)method, buffer, capacity, &bytes);
        needed = bytes;
        return status;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus OpenStream(bool withNames, ulong capacityBytes, out ulong stream)
    {
        NativeEventsOptions options = default;
        options.Size = (uint)sizeof(NativeEventsOptions);
        options.Names = withNames ? 1u : 0u;
        options.CapacityBytes = capacityBytes;
        ulong opened = 0;
        NativeStatus status = EventsOpen(&options, &opened);
        stream = opened;
        return status;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus ReadStream(ulong stream, void* buffer, uint capacity, out uint bytes)
    {
        uint copied = 0;
        NativeStatus status = EventsRead(stream, buffer, capacity, &copied);
        bytes = copied;
        return status;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus CloseStream(ulong stream)
    {
        return EventsClose(stream);
    }
}
