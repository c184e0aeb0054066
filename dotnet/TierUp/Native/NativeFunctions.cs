// What     The exported functions of libtierup as function pointers, one small caller each.
// What not Decides nothing and checks nothing. Null pointers mean "not started": only TieringHost may find that.
// Threads  Poll and Glance: [cooperative], the thread stays visible to the GC as running managed code (SuppressGCTransition), which is what makes plain loads
//          of call counting stubs safe. All others: [preemptive], ordinary unmanaged calls.
// Why      The class has no static constructor, so an access costs no check. The callers have no try block and stay out of line: the JIT inlines an
//          unmanaged call's transition only outside of try blocks, else it would compile a stub at some later moment.

using System.Runtime.CompilerServices;

namespace TierUp.Native;

internal static unsafe class NativeFunctions
{
    // delegate* unmanaged[Cdecl, SuppressGCTransition]<ulong method, ulong answer>. Volatile: written last, after the library started.
    internal static volatile nint Poll;

    // delegate* unmanaged[Cdecl, SuppressGCTransition]<ulong method, ulong answer>.
    internal static nint Glance;

    internal static delegate* unmanaged[Cdecl]<NativeStartOptions*, NativeStatus> Start;
    internal static delegate* unmanaged[Cdecl]<NativeCapabilities*, NativeStatus> GetCapabilities;
    internal static delegate* unmanaged[Cdecl]<NativeSettings*, NativeStatus> GetSettings;
    internal static delegate* unmanaged[Cdecl]<ulong, NativeMethodIdentity*, NativeStatus> MethodInspect;
    internal static delegate* unmanaged[Cdecl]<ulong, ulong, uint, NativeStatus> MethodRegister;
    internal static delegate* unmanaged[Cdecl]<ulong, ulong, uint, ulong*, NativeStatus> MethodResolve;
    internal static delegate* unmanaged[Cdecl]<ulong, ulong, uint, NativeMethodState*, NativeCodeVersion*, uint, NativeStatus> MethodGetState;
    internal static delegate* unmanaged[Cdecl]<ulong, NativeCondition, ulong, void*, ulong*, ulong*, NativeStatus> WaitBegin;
    internal static delegate* unmanaged[Cdecl]<ulong, NativeStatus> WaitCancel;
    internal static delegate* unmanaged[Cdecl]<ulong, NativeCondition, ulong, ulong, ulong*, NativeStatus> WaitBlock;
    internal static delegate* unmanaged[Cdecl]<byte*> Version;
    internal static delegate* unmanaged[Cdecl]<MethodStateReason, byte*> ReasonText;

    [MethodImpl(Code.Untiered)]
    internal static NativeAnswer PollMethod(nint poll, nint method)
    {
        return new NativeAnswer(((delegate* unmanaged[Cdecl, SuppressGCTransition]<ulong, ulong>)poll)((ulong)method));
    }

    [MethodImpl(Code.Untiered)]
    internal static NativeAnswer GlanceAtMethod(nint method)
    {
        return new NativeAnswer(((delegate* unmanaged[Cdecl, SuppressGCTransition]<ulong, ulong>)Glance)((ulong)method));
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus InspectMethod(nint method, out NativeMethodIdentity identity)
    {
        NativeMethodIdentity local = default;
        local.Size = (uint)sizeof(NativeMethodIdentity);
        NativeStatus status = MethodInspect((ulong)method, &local);
        identity = local;
        return status;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus RegisterMethod(nint method, nint entryPoint, MethodKinds kinds)
    {
        return MethodRegister((ulong)method, (ulong)entryPoint, (uint)kinds);
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus ResolveMethod(nint method, nint entryPoint, MethodKinds kinds, out NativeAnswer answer)
    {
        ulong word = NativeAnswer.Undecided;
        NativeStatus status = MethodResolve((ulong)method, (ulong)entryPoint, (uint)kinds, &word);
        answer = new NativeAnswer(word);
        return status;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus GetMethodState(
        nint method, nint entryPoint, MethodKinds kinds, NativeMethodState* state, NativeCodeVersion* versions, uint capacity)
    {
        state->Size = (uint)sizeof(NativeMethodState);
        return MethodGetState((ulong)method, (ulong)entryPoint, (uint)kinds, state, versions, capacity);
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus BeginWait(
        nint method, NativeCondition condition, ulong spinNanoseconds, void* context, out ulong wait, out NativeAnswer answer)
    {
        ulong id = 0;
        ulong word = NativeAnswer.Undecided;
        NativeStatus status = WaitBegin((ulong)method, condition, spinNanoseconds, context, &id, &word);
        wait = id;
        answer = new NativeAnswer(word);
        return status;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus CancelWait(ulong wait)
    {
        return WaitCancel(wait);
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static NativeStatus BlockOnWait(
        nint method, NativeCondition condition, ulong spinNanoseconds, ulong timeoutNanoseconds, out NativeAnswer answer)
    {
        ulong word = NativeAnswer.Undecided;
        NativeStatus status = WaitBlock((ulong)method, condition, spinNanoseconds, timeoutNanoseconds, &word);
        answer = new NativeAnswer(word);
        return status;
    }
}
