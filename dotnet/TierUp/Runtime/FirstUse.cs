// What     Calls once, when the library starts (or first waits), every framework method that a later poll, wait or schedule calls.
// What not Keeps nothing.
// Threads  OfPolling under TieringHost's lock; OfWaiting by any thread, at most once (a lost race does it twice: harmless).
// Why      The first call of a framework method arms or extends the call-counting delay. What is touched here never does so later, while somebody
//          measures. Test: "a second poll, wait and enumeration in a quiet process fire no Pause and compile nothing".

using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using TierUp.Waiting;

namespace TierUp.Runtime;

internal static class FirstUse
{
    // Gives the new thread time to fall asleep; if it doesn't, only one path of the framework stays untouched.
    private const int MaxLooksForSleep = 10_000;

    private static volatile bool s_haveWaited;

    [MethodImpl(Code.Untiered)]
    internal static void OfPolling()
    {
        try
        {
            MethodInfo probe = new Action(Probe).Method;
            MethodPoll.Answer(probe.MethodHandle, probe);
            MethodPoll.Answer(RuntimeMethodHandle.FromIntPtr(new Action(SecondProbe).Method.MethodHandle.Value), null);
        }
        catch (InvalidOperationException)
        {
            // The state of a method of ours is not known here: the user's first call will say the same about theirs.
        }
        catch (ArgumentException)
        {
            // As above.
        }
    }

    [MethodImpl(Code.Untiered)]
    internal static void OfWaiting()
    {
        if (s_haveWaited)
        {
            return;
        }

        s_haveWaited = true;
        PooledWait.RunOnceWithoutMethod();
        WakeAThread();
    }

    /// <summary>
    /// Queuing work to a thread pool that has been idle sets the event that its gate thread waits for. Observed on 8.0.34 and 11.0.0: without this, the
    /// first wait that ends after a quiet time calls EventWaitHandle.Set and what is under it for the first time, and costs another delay.
    /// </summary>
    [MethodImpl(Code.Untiered)]
    private static void WakeAThread()
    {
        using AutoResetEvent signal = new AutoResetEvent(false);
        Thread waiter = new Thread(new ParameterizedThreadStart(WaitForSignal)) { IsBackground = true, Name = "tierup first use" };
        waiter.UnsafeStart(signal);
        for (int i = 0; i < MaxLooksForSleep && (waiter.ThreadState & ThreadState.WaitSleepJoin) == 0; i++)
        {
            Thread.Yield();
        }

        signal.Set();
        waiter.Join();
    }

    [MethodImpl(Code.Untiered)]
    private static void WaitForSignal(object? signal)
    {
        Unsafe.As<AutoResetEvent>(signal!).WaitOne();
    }

    [MethodImpl(Code.Untiered)]
    private static void Probe()
    {
    }

    [MethodImpl(Code.Untiered)]
    private static void SecondProbe()
    {
    }
}
