// What     The functions of the C header that the bench needs beside the C# API: figures of the signals, and asking for them.
// What not Loads no second copy: the path is that of the library TierUp has loaded.
// Failure  DllNotFoundException, EntryPointNotFoundException: the framework's own; InvalidOperationException for a status that is not ok.
// Source   include/tierup/tierup.h.

using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TierUp.Bench.Signals.Children;

/// <summary>tierup_signals.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct SignalFigures
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

internal sealed unsafe class NativeFigures
{
    private readonly delegate* unmanaged[Cdecl]<SignalFigures*, int> _getSignals;
    private readonly delegate* unmanaged[Cdecl]<int> _request;

    internal NativeFigures()
    {
        nint library = NativeLibrary.Load(TieredCompilation.Capabilities.NativeLibraryPath);
        _getSignals = (delegate* unmanaged[Cdecl]<SignalFigures*, int>)NativeLibrary.GetExport(library, "tierup_get_signals");
        _request = (delegate* unmanaged[Cdecl]<int>)NativeLibrary.GetExport(library, "tierup_signals_request");
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal SignalFigures Signals()
    {
        SignalFigures figures = default;
        figures.Size = (uint)sizeof(SignalFigures);
        Require(_getSignals(&figures), "tierup_get_signals");
        return figures;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal void Request()
    {
        Require(_request(), "tierup_signals_request");
    }

    private static void Require(int status, string function)
    {
        if (status != 0)
        {
            throw new InvalidOperationException($"{function} answered {status}");
        }
    }
}
