// What     The native library's signals in a few lines: replaces the function pointers of SignalFunctions, the settings, and what is remembered of them, while
//          a test runs.
// What not Waits and method states: FakeLibrary, or the real library.
// Threads  Figures may be changed and read from any thread.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Signals;

namespace TierUp.Tests;

internal sealed unsafe class FakeSignals : IDisposable
{
    private static readonly ulong* s_pendingCount = (ulong*)NativeMemory.AllocZeroed(sizeof(ulong));
    private static readonly nint s_readPendingCount = ConstantFunction.ReadingCell(s_pendingCount);
    private static readonly byte* s_reason = (byte*)Marshal.StringToCoTaskMemUTF8("because the test says so");
    private static NativeSignals s_signals;
    private static NativeSettings s_settings;
    private static NativePendingCompilation[] s_pending = [];
    private static int s_requests;
    private static int s_offers;
    private static ulong s_lastOffer;
    private static int s_lists;

    private readonly nint[] _saved;

    internal FakeSignals(SignalsState state = SignalsState.Attached)
    {
        // The real library has started before anything is replaced.
        _ = TieringHost.Phase();
        _saved = [(nint)SignalFunctions.GetSignals, (nint)SignalFunctions.RequestSignals, (nint)SignalFunctions.OfferProbe, (nint)SignalFunctions.ListPending,
            (nint)SignalFunctions.MethodName, (nint)NativeFunctions.GetSettings, (nint)Field("s_pendingCount").GetValue(null)!];
        MissingBefore = SignalFunctions.Missing;
        s_signals = new NativeSignals { State = (byte)state, StateReason = s_reason, QueueViewReason = s_reason };
        s_settings = new NativeSettings { TieredCompilation = 1, CallCounting = 1, CallCountThreshold = 30, CallCountingDelayMs = 100 };
        s_requests = 0;
        s_offers = 0;
        s_lists = 0;
        s_pending = [];
        *s_pendingCount = 0;
        SignalFunctions.GetSignals = &GetSignals;
        SignalFunctions.RequestSignals = &Request;
        SignalFunctions.OfferProbe = &Offer;
        SignalFunctions.ListPending = &List;
        SignalFunctions.MethodName = &Name;
        NativeFunctions.GetSettings = &GetSettings;
        SignalFunctions.Publish(s_readPendingCount, "");
        Forget();
    }

    internal static int Requests => Volatile.Read(ref s_requests);

    internal static int Offers => Volatile.Read(ref s_offers);

    internal static ulong LastOffer => Volatile.Read(ref s_lastOffer);

    internal static int Lists => s_lists;

    private string MissingBefore { get; }

    internal static void SetCount(uint count, bool isKnown)
    {
        Volatile.Write(ref *s_pendingCount, count | (isKnown ? SignalFunctions.CountIsKnown : 0));
        s_signals.QueueView = s_signals.BatchKnown = isKnown ? (byte)1 : (byte)0;
    }

    internal static void SetState(SignalsState state)
    {
        s_signals.State = (byte)state;
    }

    internal static void SetMethodEventsOn(bool isOn)
    {
        s_signals.MethodEventsOn = isOn ? (byte)1 : (byte)0;
    }

    internal static void SetPending(params NativePendingCompilation[] pending)
    {
        s_pending = pending;
    }

    internal static void SetSettings(bool tieredCompilation = true, bool callCounting = true, uint delay = 100)
    {
        s_settings.TieredCompilation = tieredCompilation ? (byte)1 : (byte)0;
        s_settings.CallCounting = callCounting ? (byte)1 : (byte)0;
        s_settings.CallCountingDelayMs = delay;
        Forget();
    }

    public void Dispose()
    {
        SignalFunctions.GetSignals = (delegate* unmanaged[Cdecl]<NativeSignals*, NativeStatus>)_saved[0];
        SignalFunctions.RequestSignals = (delegate* unmanaged[Cdecl]<NativeStatus>)_saved[1];
        SignalFunctions.OfferProbe = (delegate* unmanaged[Cdecl]<ulong, NativeStatus>)_saved[2];
        SignalFunctions.ListPending = (delegate* unmanaged[Cdecl]<NativePendingCompilation*, uint, uint*, NativeStatus>)_saved[3];
        SignalFunctions.MethodName = (delegate* unmanaged[Cdecl]<ulong, byte*, uint, uint*, NativeStatus>)_saved[4];
        NativeFunctions.GetSettings = (delegate* unmanaged[Cdecl]<NativeSettings*, NativeStatus>)_saved[5];
        SignalFunctions.Publish(_saved[6], MissingBefore);
        Forget();
    }

    /// <summary>As in a process that has not used signals yet.</summary>
    private static void Forget()
    {
        Set(typeof(Calibration), "s_isRequested", false);
        Set(typeof(Calibration), "s_nudges", 0);
        Set(typeof(ProcessTiering), "s_state", 0);
    }

    private static void Set(Type type, string field, object value)
    {
        type.GetField(field, BindingFlags.Static | BindingFlags.NonPublic)!.SetValue(null, value);
    }

    private static FieldInfo Field(string name)
    {
        return typeof(SignalFunctions).GetField(name, BindingFlags.Static | BindingFlags.NonPublic)!;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus GetSignals(NativeSignals* signals)
    {
        *signals = s_signals;
        return NativeStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus GetSettings(NativeSettings* settings)
    {
        *settings = s_settings;
        return NativeStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Request()
    {
        Interlocked.Increment(ref s_requests);
        return NativeStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Offer(ulong method)
    {
        s_lastOffer = method;
        Interlocked.Increment(ref s_offers);
        return NativeStatus.Absent;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus List(NativePendingCompilation* items, uint capacity, uint* count)
    {
        s_lists++;
        *count = (uint)s_pending.Length;
        for (int i = 0; i < s_pending.Length && i < capacity; i++)
        {
            items[i] = s_pending[i];
        }

        return s_signals.QueueView == 0 && s_pending.Length == 0 ? NativeStatus.Unsupported : NativeStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Name(ulong method, byte* buffer, uint capacity, uint* needed)
    {
        if (method == 0)
        {
            return NativeStatus.Absent;
        }

        // As long as the number says: 5 is "mmmmm".
        *needed = (uint)method + 1;
        uint length = *needed <= capacity ? (uint)method : capacity - 1;
        new Span<byte>(buffer, (int)length).Fill((byte)'m');
        buffer[length] = 0;
        return NativeStatus.Ok;
    }
}
