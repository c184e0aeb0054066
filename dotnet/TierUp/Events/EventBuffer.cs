// What     A piece of native memory with whole events in it, as tierup_events_read copied them, and the reading of one after the other.
// What not Opens and closes nothing.
// Threads  Under its stream's lock.
// Failure  A record that does not fit in what was copied ends the buffer: nothing is read past it.
// Source   tierup_event in tierup.h.

using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TierUp.Native;

namespace TierUp.Events;

internal sealed unsafe class EventBuffer
{
    private const uint FirstBytes = 64 * 1024;

    private readonly MethodTextCache _texts = new MethodTextCache();
    private byte* _bytes;
    private uint _capacity;
    private uint _length;
    private uint _at;

    [MethodImpl(Code.Untiered)]
    internal EventBuffer()
    {
    }

    /// <summary>Gets a value indicating whether there is an event to take.</summary>
    internal bool HasEvent
    {
        [MethodImpl(Code.Untiered)]
        get { return _length - _at >= (uint)sizeof(NativeEvent) && _length - _at >= ((NativeEvent*)(_bytes + _at))->Size; }
    }

    [MethodImpl(Code.Untiered)]
    internal TieringEvent Take()
    {
        NativeEvent* record = (NativeEvent*)(_bytes + _at);
        uint size = record->Size < (uint)sizeof(NativeEvent) ? (uint)sizeof(NativeEvent) : record->Size;
        uint units = (size - (uint)sizeof(NativeEvent)) / sizeof(char);
        if (units > record->NameUnits)
        {
            units = record->NameUnits;
        }

        ReadOnlySpan<char> texts = new ReadOnlySpan<char>((byte*)record + sizeof(NativeEvent), (int)units);
        TieringEvent taken = new TieringEvent(*record, _texts.Find((nint)record->Method, texts));
        _at += size;
        return taken;
    }

    /// <summary>Replaces what was read. Ok with no event: there is none yet. Absent: no such stream.</summary>
    [MethodImpl(Code.Untiered)]
    internal NativeStatus Fill(ulong stream)
    {
        if (_bytes == null)
        {
            Grow(FirstBytes);
        }

        _length = 0;
        _at = 0;
        NativeStatus status = SignalFunctions.ReadStream(stream, _bytes, _capacity, out uint bytes);
        if (status == NativeStatus.Exhausted && bytes > _capacity)
        {
            Grow(bytes);
            status = SignalFunctions.ReadStream(stream, _bytes, _capacity, out bytes);
        }

        if (status == NativeStatus.Ok && bytes <= _capacity)
        {
            _length = bytes;
        }

        return status;
    }

    [MethodImpl(Code.Untiered)]
    internal void Free()
    {
        NativeMemory.Free(_bytes);
        _bytes = null;
        _capacity = 0;
        _length = 0;
        _at = 0;
    }

    [MethodImpl(Code.Untiered)]
    private void Grow(uint bytes)
    {
        _bytes = (byte*)NativeMemory.Realloc(_bytes, bytes);
        _capacity = bytes;
    }
}
