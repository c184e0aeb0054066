// What     The floor's oracle: reads where an entry point leads and spins until the next tier's stub or the final code is there.
// What not No wait machinery, no data access library, no checks; x64 only. For methods whose ladder is known: tier 0, instrumented, tier 1.
// Threads  A managed thread, which is cooperative: stubs are deleted only while the runtime is suspended (and deletion is off by default).
// Failure  TimeoutException when the memory never shows what it should: then the floor is not one.
// Source   x64 stub bytes and the counting cell, 8.0–11.0: src/decode/rows_x64.h, src/runtime/entry_walk.h.

using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace TierUp.Bench.Core.Children;

internal static unsafe class MemoryOracle
{
    private const ushort JumpThroughSlot = 0x25ff;
    private const int FixupTargetSlot = 2;
    private const int FixupPrestub = 6;
    private const int FixupMethodLoad = 6;
    private const int LoadMethod = 0x158b4c;
    private const int LoadCell = 0x058b48;
    private const int CounterCell = 3;
    private const int CounterTargetSlot = 12;
    private const int ThreeBytes = 0xffffff;
    private const int StageFromCell = 2;
    private const byte StageCounting = 1;
    private const int MostForwarders = 3;
    private const int SpinsBetweenClocks = 1024;
    private static readonly long s_limit = Stopwatch.Frequency * 10;

    private enum Entry
    {
        Prestub,
        Counting,
        CountedOut,
        Code,
    }

    /// <summary>Spins until calls are counted on another code than `code`, and returns that code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    internal static nint SpinUntilCountedElsewhere(nint entryPoint, nint code)
    {
        return Spin(entryPoint, code, Entry.Counting);
    }

    /// <summary>Spins until calls run another code than `code` without a counting stub.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    internal static nint SpinUntilDirectElsewhere(nint entryPoint, nint code)
    {
        return Spin(entryPoint, code, Entry.Code);
    }

    /// <summary>The code that calls run now, behind a counting stub or not; 0 while the next call goes through the prestub.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    internal static nint CodeOf(nint entryPoint)
    {
        return Read(entryPoint, out nint code) == Entry.Prestub ? 0 : code;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static nint Spin(nint entryPoint, nint old, Entry wanted)
    {
        long began = Stopwatch.GetTimestamp();
        while (true)
        {
            for (int i = 0; i < SpinsBetweenClocks; i++)
            {
                // Race     The runtime switches slots while they are read.
                // Window   One Read.
                // Harmless Slots are written whole and lead to memory that stays mapped; a stale one gives the state of a moment ago.
                // Test     Each driven method must be final at the end: DriveChild.RequireFinal.
                if (Read(entryPoint, out nint code) == wanted && code != old)
                {
                    return code;
                }
            }

            if (Stopwatch.GetTimestamp() - began > s_limit)
            {
                throw new TimeoutException("the oracle saw no promotion");
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static Entry Read(nint entryPoint, out nint code)
    {
        byte* at = (byte*)entryPoint;
        for (int hop = 0; hop < MostForwarders; hop++)
        {
            int head = *(int*)at & ThreeBytes;
            if (head == LoadCell)
            {
                ushort* cell = *(ushort**)Slot(at + CounterCell);
                code = *(nint*)Slot(at + CounterTargetSlot + sizeof(ushort));
                return ((byte*)cell)[StageFromCell] == StageCounting ? Entry.Counting : Entry.CountedOut;
            }

            if ((ushort)head != JumpThroughSlot || (*(int*)(at + FixupMethodLoad) & ThreeBytes) != LoadMethod)
            {
                break;
            }

            byte* target = *(byte**)Slot(at + FixupTargetSlot);
            if (target == at + FixupPrestub)
            {
                code = 0;
                return Entry.Prestub;
            }

            at = target;
        }

        code = (nint)at;
        return Entry.Code;
    }

    /// <summary>The address that a 32-bit operand relative to its own end names.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* Slot(byte* operand)
    {
        return operand + sizeof(int) + *(int*)operand;
    }
}
