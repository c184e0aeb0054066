// What     Fills NativeFunctions from a loaded library.
// What not Does not publish Poll: TieringHost does, after the library started.
// Threads  Called under TieringHost's lock.
// Failure  The name of the export that is missing, or the ABI version that does not fit.
// Source   tierup.h, ABI version 1.

using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TierUp.Native;

internal static unsafe class NativeBinder
{
    /// <summary>TIERUP_ABI_VERSION.</summary>
    internal const uint AbiVersion = 1;

    /// <summary>Returns "" when everything is bound, else what does not fit. <paramref name="poll"/> is tierup_method_poll.</summary>
    [MethodImpl(Code.Untiered)]
    internal static string Bind(nint library, out nint poll)
    {
        poll = 0;
        string missing = "";
        delegate* unmanaged[Cdecl]<uint> abiVersion = (delegate* unmanaged[Cdecl]<uint>)Find(library, "tierup_abi_version", ref missing);
        if (abiVersion == null)
        {
            return "it has no export tierup_abi_version.";
        }

        uint version = abiVersion();
        if (version != AbiVersion)
        {
            return string.Concat(
                "it speaks ABI version ",
                version.ToString(CultureInfo.InvariantCulture),
                ", this TierUp.dll needs ",
                string.Concat(AbiVersion.ToString(CultureInfo.InvariantCulture), "."));
        }

        BindAll(library, ref missing);
        BindSignals(library);
        poll = Find(library, "tierup_method_poll", ref missing);
        return missing.Length == 0 ? "" : string.Concat("it has no export ", missing, ".");
    }

    [MethodImpl(Code.Untiered)]
    private static void BindAll(nint library, ref string missing)
    {
        NativeFunctions.Glance = Find(library, "tierup_method_glance", ref missing);
        NativeFunctions.Start = (delegate* unmanaged[Cdecl]<NativeStartOptions*, NativeStatus>)Find(library, "tierup_start", ref missing);
        NativeFunctions.GetCapabilities =
            (delegate* unmanaged[Cdecl]<NativeCapabilities*, NativeStatus>)Find(library, "tierup_get_capabilities", ref missing);
        NativeFunctions.GetSettings = (delegate* unmanaged[Cdecl]<NativeSettings*, NativeStatus>)Find(library, "tierup_get_settings", ref missing);
        NativeFunctions.MethodInspect =
            (delegate* unmanaged[Cdecl]<ulong, NativeMethodIdentity*, NativeStatus>)Find(library, "tierup_method_inspect", ref missing);
        NativeFunctions.MethodRegister =
            (delegate* unmanaged[Cdecl]<ulong, ulong, uint, NativeStatus>)Find(library, "tierup_method_register", ref missing);
        NativeFunctions.MethodResolve =
            (delegate* unmanaged[Cdecl]<ulong, ulong, uint, ulong*, NativeStatus>)Find(library, "tierup_method_resolve", ref missing);
        NativeFunctions.MethodGetState =
            (delegate* unmanaged[Cdecl]<ulong, ulong, uint, NativeMethodState*, NativeCodeVersion*, uint, NativeStatus>)Find(
                library, "tierup_method_get_state", ref missing);
        NativeFunctions.WaitBegin =
            (delegate* unmanaged[Cdecl]<ulong, NativeCondition, ulong, void*, ulong*, ulong*, NativeStatus>)Find(
                library, "tierup_wait_begin", ref missing);
        NativeFunctions.WaitCancel = (delegate* unmanaged[Cdecl]<ulong, NativeStatus>)Find(library, "tierup_wait_cancel", ref missing);
        NativeFunctions.WaitBlock =
            (delegate* unmanaged[Cdecl]<ulong, NativeCondition, ulong, ulong, ulong*, NativeStatus>)Find(library, "tierup_wait_block", ref missing);
        NativeFunctions.Version = (delegate* unmanaged[Cdecl]<byte*>)Find(library, "tierup_version", ref missing);
        NativeFunctions.ReasonText = (delegate* unmanaged[Cdecl]<MethodStateReason, byte*>)Find(library, "tierup_reason_text", ref missing);
    }

    /// <summary>A library that was built before it had signals works for everything else: what it lacks is told when it is asked for.</summary>
    [MethodImpl(Code.Untiered)]
    private static void BindSignals(nint library)
    {
        string missing = "";
        SignalFunctions.GetSignals = (delegate* unmanaged[Cdecl]<NativeSignals*, NativeStatus>)Find(library, "tierup_get_signals", ref missing);
        SignalFunctions.RequestSignals = (delegate* unmanaged[Cdecl]<NativeStatus>)Find(library, "tierup_signals_request", ref missing);
        SignalFunctions.OfferProbe = (delegate* unmanaged[Cdecl]<ulong, NativeStatus>)Find(library, "tierup_signals_offer_probe", ref missing);
        SignalFunctions.ListPending =
            (delegate* unmanaged[Cdecl]<NativePendingCompilation*, uint, uint*, NativeStatus>)Find(library, "tierup_list_pending", ref missing);
        SignalFunctions.MethodName =
            (delegate* unmanaged[Cdecl]<ulong, byte*, uint, uint*, NativeStatus>)Find(library, "tierup_method_name", ref missing);
        SignalFunctions.EventsOpen =
            (delegate* unmanaged[Cdecl]<NativeEventsOptions*, ulong*, NativeStatus>)Find(library, "tierup_events_open", ref missing);
        SignalFunctions.EventsRead =
            (delegate* unmanaged[Cdecl]<ulong, void*, uint, uint*, NativeStatus>)Find(library, "tierup_events_read", ref missing);
        SignalFunctions.EventsClose = (delegate* unmanaged[Cdecl]<ulong, NativeStatus>)Find(library, "tierup_events_close", ref missing);
        nint pendingCount = Find(library, "tierup_pending_count", ref missing);
        SignalFunctions.Publish(missing.Length == 0 ? pendingCount : 0, missing);
    }

    [MethodImpl(Code.Untiered)]
    private static nint Find(nint library, string name, ref string missing)
    {
        if (NativeLibrary.TryGetExport(library, name, out nint address))
        {
            return address;
        }

        missing = missing.Length == 0 ? name : string.Concat(missing, ", ", name);
        return 0;
    }
}
