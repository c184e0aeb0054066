// What     The native library's event streams in a few lines: one stream whose events a test makes. Needs FakeLibrary for waits and FakeSignals for the state.
// Threads  Push may be called from any thread.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using TierUp.Native;

namespace TierUp.Tests;

internal sealed unsafe class FakeStreams : IDisposable
{
    internal const ulong Number = 77;

    private static readonly object s_gate = new();
    private static readonly Queue<byte[]> s_records = new();
    private static NativeStatus s_openStatus;
    private static bool s_isOpen;

    private readonly nint[] _saved;

    internal FakeStreams()
    {
        _saved = [(nint)SignalFunctions.EventsOpen, (nint)SignalFunctions.EventsRead, (nint)SignalFunctions.EventsClose];
        SignalFunctions.EventsOpen = &Open;
        SignalFunctions.EventsRead = &Read;
        SignalFunctions.EventsClose = &Close;
        s_records.Clear();
        s_openStatus = NativeStatus.Ok;
        s_isOpen = false;
        FakeSignals.SetMethodEventsOn(true);
    }

    internal static bool IsOpen => s_isOpen;

    internal static NativeEventsOptions LastOptions { get; private set; }

    internal static NativeStatus OpenStatus
    {
        set => s_openStatus = value;
    }

    internal static void Push(NativeEvent record, params string[] names)
    {
        byte[] texts = Encoding.Unicode.GetBytes(string.Concat(Array.ConvertAll(names, name => name + "\0")));
        int size = (sizeof(NativeEvent) + texts.Length + 7) / 8 * 8;
        record.Size = (uint)size;
        // What a test says itself is a lie that the reader must stand.
        record.NameUnits = record.NameUnits != 0 ? record.NameUnits : (ushort)(texts.Length / 2);
        byte[] bytes = new byte[size];
        MemoryMarshal.Write(bytes, in record);
        texts.CopyTo(bytes.AsSpan(sizeof(NativeEvent)));
        lock (s_gate)
        {
            s_records.Enqueue(bytes);
        }

        FakeLibrary.EndAll();
    }

    public void Dispose()
    {
        SignalFunctions.EventsOpen = (delegate* unmanaged[Cdecl]<NativeEventsOptions*, ulong*, NativeStatus>)_saved[0];
        SignalFunctions.EventsRead = (delegate* unmanaged[Cdecl]<ulong, void*, uint, uint*, NativeStatus>)_saved[1];
        SignalFunctions.EventsClose = (delegate* unmanaged[Cdecl]<ulong, NativeStatus>)_saved[2];
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Open(NativeEventsOptions* options, ulong* stream)
    {
        LastOptions = *options;
        if (s_openStatus == NativeStatus.Ok)
        {
            *stream = Number;
            s_isOpen = true;
        }

        return s_openStatus;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Read(ulong stream, void* buffer, uint capacity, uint* bytes)
    {
        *bytes = 0;
        if (stream != Number || !s_isOpen)
        {
            return NativeStatus.Absent;
        }

        lock (s_gate)
        {
            while (s_records.TryPeek(out byte[]? record))
            {
                if (*bytes + record.Length > capacity)
                {
                    if (*bytes != 0)
                    {
                        break;
                    }

                    *bytes = (uint)record.Length;
                    return NativeStatus.Exhausted;
                }

                record.CopyTo(new Span<byte>((byte*)buffer + *bytes, record.Length));
                *bytes += (uint)record.Length;
                s_records.Dequeue();
            }
        }

        return NativeStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Close(ulong stream)
    {
        s_isOpen = false;
        FakeLibrary.EndAll();
        return stream == Number ? NativeStatus.Ok : NativeStatus.Absent;
    }
}
