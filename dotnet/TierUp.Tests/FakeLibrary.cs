// What     A native library of a few lines: replaces the function pointers of NativeFunctions while a test runs.
// What not Knows no runtime: a test says what each poll answers and when a wait ends.
// Threads  End may be called from any thread, as the dispatcher's callback.

using System;
using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Waiting;

namespace TierUp.Tests;

internal sealed unsafe class FakeLibrary : IDisposable
{
    private static readonly ConcurrentDictionary<ulong, nint> s_pending = new();
    private static readonly nint s_poll = ConstantFunction.Create((byte)NativeAnswer.NeedsResolveBit);
    private static ulong s_lastWait;
    private static Func<ulong>? s_answer;
    private static Action<ulong>? s_onBegin;
    private static Func<NativeStatus>? s_onBlock;
    private static NativeCondition s_lastCondition;
    private static int s_cancelled;

    private readonly object?[] _saved;
    private readonly int _savedPhase;

    internal FakeLibrary(Func<ulong> answer)
    {
        _ = TieringHost.Phase();
        if (NativeFunctions.WaitCancel == null)
        {
            _ = WaitContext.Entry();
        }

        _savedPhase = (int)PhaseField().GetValue(null)!;
        _saved = [NativeFunctions.Poll, (nint)NativeFunctions.MethodResolve, (nint)NativeFunctions.WaitBegin, (nint)NativeFunctions.WaitCancel,
            (nint)NativeFunctions.WaitBlock, (nint)NativeFunctions.ReasonText, NativeFunctions.Glance];
        s_pending.Clear();
        s_answer = answer;
        s_onBegin = null;
        s_onBlock = null;
        s_cancelled = 0;
        NativeFunctions.MethodResolve = &Resolve;
        NativeFunctions.WaitBegin = &Begin;
        NativeFunctions.WaitCancel = &Cancel;
        NativeFunctions.WaitBlock = &Block;
        NativeFunctions.ReasonText = &ReasonText;
        NativeFunctions.Glance = s_poll;
        NativeFunctions.Poll = s_poll;
        PhaseField().SetValue(null, HostPhase.Ready);
    }

    internal static ulong LastWait => Volatile.Read(ref s_lastWait);

    internal static NativeCondition LastCondition => s_lastCondition;

    internal static int CancelledCount => Volatile.Read(ref s_cancelled);

    internal static int PendingCount => s_pending.Count;

    /// <summary>Called inside tierup_wait_begin, after the wait exists and before its number is known to the caller.</summary>
    internal static Action<ulong>? OnBegin
    {
        set => s_onBegin = value;
    }

    /// <summary>How a blocking wait ends; TimedOut where nothing is said.</summary>
    internal static Func<NativeStatus>? OnBlock
    {
        set => s_onBlock = value;
    }

    /// <summary>Ends all waits that are pending, as closing a stream does.</summary>
    internal static void EndAll()
    {
        foreach (ulong wait in s_pending.Keys)
        {
            End(wait);
        }
    }

    /// <summary>Ends a wait as the dispatcher does. False: it was cancelled or has ended.</summary>
    internal static bool End(ulong wait, NativeStatus status = NativeStatus.Ok)
    {
        if (!s_pending.TryRemove(wait, out nint context))
        {
            return false;
        }

        WaitContext.Entry()((void*)context, (int)status);
        return true;
    }

    internal static ulong WaitForBegin(ulong after)
    {
        if (!SpinWait.SpinUntil(() => LastWait > after, TimeSpan.FromSeconds(60)))
        {
            throw new TimeoutException("no wait was begun");
        }

        return LastWait;
    }

    public void Dispose()
    {
        NativeFunctions.Poll = (nint)_saved[0]!;
        NativeFunctions.Glance = (nint)_saved[6]!;
        NativeFunctions.MethodResolve = (delegate* unmanaged[Cdecl]<ulong, ulong, uint, ulong*, NativeStatus>)(nint)_saved[1]!;
        NativeFunctions.WaitBegin =
            (delegate* unmanaged[Cdecl]<ulong, NativeCondition, ulong, void*, ulong*, ulong*, NativeStatus>)(nint)_saved[2]!;
        NativeFunctions.WaitCancel = (delegate* unmanaged[Cdecl]<ulong, NativeStatus>)(nint)_saved[3]!;
        NativeFunctions.WaitBlock = (delegate* unmanaged[Cdecl]<ulong, NativeCondition, ulong, ulong, ulong*, NativeStatus>)(nint)_saved[4]!;
        NativeFunctions.ReasonText = (delegate* unmanaged[Cdecl]<MethodStateReason, byte*>)(nint)_saved[5]!;
        PhaseField().SetValue(null, _savedPhase);
    }

    private static FieldInfo PhaseField()
    {
        return typeof(TieringHost).GetField("s_phase", BindingFlags.Static | BindingFlags.NonPublic)!;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Resolve(ulong method, ulong entryPoint, uint kinds, ulong* answer)
    {
        *answer = s_answer!() & ~NativeAnswer.NeedsMoreMask;
        return NativeStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Begin(ulong method, NativeCondition condition, ulong spin, void* context, ulong* wait, ulong* answer)
    {
        ulong id = Interlocked.Increment(ref s_lastWait);
        *answer = s_answer!();
        *wait = id;
        s_lastCondition = condition;
        s_pending[id] = (nint)context;
        s_onBegin?.Invoke(id);
        return NativeStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Cancel(ulong wait)
    {
        if (!s_pending.TryRemove(wait, out _))
        {
            return NativeStatus.Absent;
        }

        Interlocked.Increment(ref s_cancelled);
        return NativeStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static NativeStatus Block(ulong method, NativeCondition condition, ulong spin, ulong timeout, ulong* answer)
    {
        *answer = s_answer!();
        s_lastCondition = condition;
        return s_onBlock is null ? NativeStatus.TimedOut : s_onBlock();
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    private static byte* ReasonText(MethodStateReason reason)
    {
        return null;
    }
}
