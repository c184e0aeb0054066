// What     The kernel's bare wait and wake on one word, which every blocking primitive on Linux ends in: the floor's hop.
// What not No queue, no time-out, no spinning.
// Threads  Any; a waiter is a managed thread in an ordinary P/Invoke, as a blocked caller of the library is.
// Source   futex(2): operations FUTEX_WAIT 0 and FUTEX_WAKE 1, private 128. Numbers: asm/unistd.h (x86-64 202, arm64 98).

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace TierUp.Bench.Signals.Children;

internal sealed unsafe class Futex
{
    private const int WaitPrivate = 128;
    private const int WakePrivate = 129;
    private static readonly nint s_number = RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? 98 : 202;

    // Lives as long as the process: a thread may sleep on it at its end.
    private readonly int* _word = (int*)NativeMemory.AllocZeroed(sizeof(int));

    /// <summary>Gets the number of wakes so far: read it before asking for one.</summary>
    internal int Wakes
    {
        [MethodImpl(MethodImplOptions.AggressiveOptimization)]
        get { return Volatile.Read(ref *_word); }
    }

    /// <summary>Returns when the number of wakes differs from `seen`.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    internal void Wait(int seen)
    {
        while (Volatile.Read(ref *_word) == seen)
        {
            SystemCall(s_number, _word, WaitPrivate, seen, null, null, 0);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    internal void Wake()
    {
        Volatile.Write(ref *_word, *_word + 1);
        SystemCall(s_number, _word, WakePrivate, 1, null, null, 0);
    }

    [DllImport("libc", EntryPoint = "syscall")]
    private static extern nint SystemCall(
        nint number, int* word, nint operation, nint value, void* timeout, void* secondWord, nint thirdValue);
}
