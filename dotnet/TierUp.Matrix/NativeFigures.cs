// What     The native library's own figures (tierup_get_signals, tierup_get_statistics), which the C# surface does not show.
// What not Nothing of these is an oracle: they are what the tests hold against the runtime.
// Threads  [any]
// Failure  An exception: without the library there is no test.
// Source   tierup.h.
using System;
using System.Runtime.InteropServices;

namespace TierUp.Matrix;

internal static unsafe class NativeFigures
{
    public struct Signals
    {
        public uint Size;
        public byte State, LoadedAtStartup, QueueView, BatchKnown, MethodEventsOn, Reserved0, Reserved1, Reserved2;
        public nint StateReason, QueueViewReason, FoundBy;
        public ulong AttachNs, EventsReceived, MethodEventsReceived, SessionsStarted, ManagerAddress;
    }

    public struct Statistics
    {
        public uint Size, DispatcherRunning;
        public ulong WaitsPending, WaitsEnded, Evaluations, DacQueries, DacCacheHits, MethodsRegistered;
    }

    private static delegate* unmanaged<Signals*, int> getSignals;
    private static delegate* unmanaged<Statistics*, int> getStatistics;

    public static Signals ReadSignals()
    {
        Load();
        Signals signals = default;
        signals.Size = (uint)sizeof(Signals);
        int status = getSignals(&signals);
        return status == 0 ? signals : throw new InvalidOperationException("tierup_get_signals: " + status);
    }

    public static Statistics ReadStatistics()
    {
        Load();
        Statistics statistics = default;
        statistics.Size = (uint)sizeof(Statistics);
        int status = getStatistics(&statistics);
        return status == 0 ? statistics : throw new InvalidOperationException("tierup_get_statistics: " + status);
    }

    public static string Text(nint text) => Marshal.PtrToStringUTF8(text) ?? "";

    private static void Load()
    {
        if (getSignals != null) return;
        nint library = NativeLibrary.Load(TieredCompilation.Capabilities.NativeLibraryPath);
        getStatistics = (delegate* unmanaged<Statistics*, int>)NativeLibrary.GetExport(library, "tierup_get_statistics");
        getSignals = (delegate* unmanaged<Signals*, int>)NativeLibrary.GetExport(library, "tierup_get_signals");
    }
}
