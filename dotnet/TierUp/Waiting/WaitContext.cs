// What     The context that the native library gives back when a wait ends: who to tell, in native memory.
// What not Knows nothing of outcomes.
// Threads  Create: the waiting thread. Entry: the native dispatcher. Exactly one of callback and successful cancellation frees it.
// Failure  Out of native memory is the framework's OutOfMemoryException, before the wait begins.
// Why      A second copy of TierUp.dll (another load context) shares the native library and with it the first copy's callback. The context carries
//          its own copy's callback, so that the first copy can pass a foreign one on instead of misreading it.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TierUp.Native;

namespace TierUp.Waiting;

internal unsafe struct WaitContext
{
    // This copy's callback, taken once: two "address of" may differ, and the comparison below must not.
    private static nint s_entry;

    private nint _entry;
    private nint _handle;

    /// <summary>What tierup_start is given as on_wait_ended. Called once, before any wait.</summary>
    [MethodImpl(Code.Untiered)]
    internal static delegate* unmanaged[Cdecl]<void*, int, void> Entry()
    {
        s_entry = (nint)(delegate* unmanaged[Cdecl]<void*, int, void>)&OnWaitEnded;
        return (delegate* unmanaged[Cdecl]<void*, int, void>)s_entry;
    }

    /// <summary>What tierup_start is given as on_thread_began: entering managed code once makes the native thread one of the runtime's (some 50 us), before a wait's end needs it.</summary>
    [MethodImpl(Code.Untiered)]
    internal static delegate* unmanaged[Cdecl]<void> ThreadEntry()
    {
        return &OnThreadBegan;
    }

    [MethodImpl(Code.Untiered)]
    internal static WaitContext* Create(WaitCore wait)
    {
        WaitContext* context = (WaitContext*)NativeMemory.Alloc((nuint)sizeof(WaitContext));
        context->_entry = s_entry;
        context->_handle = GCHandle.ToIntPtr(GCHandle.Alloc(wait));
        return context;
    }

    [MethodImpl(Code.Untiered)]
    internal static WaitCore Take(WaitContext* context)
    {
        GCHandle handle = GCHandle.FromIntPtr(context->_handle);
        WaitCore wait = Unsafe.As<WaitCore>(handle.Target!);
        handle.Free();
        NativeMemory.Free(context);
        return wait;
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    [MethodImpl(Code.Untiered)]
    private static void OnThreadBegan()
    {
    }

    [UnmanagedCallersOnly(CallConvs = new[] { typeof(CallConvCdecl) })]
    [MethodImpl(Code.Untiered)]
    private static void OnWaitEnded(void* context, int status)
    {
        WaitContext* wait = (WaitContext*)context;
        if (wait->_entry == s_entry)
        {
            Take(wait).EndRound((NativeStatus)status);
        }
        else
        {
            ((delegate* unmanaged[Cdecl]<void*, int, void>)wait->_entry)(context, status);
        }
    }
}
