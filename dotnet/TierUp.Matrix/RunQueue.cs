// What     How long the calling thread has stood in the scheduler's queue so far, ready to run: what a wake-up on a busy machine takes is not ours.
// Threads  Of the thread that made it.
// Failure  An exception where the kernel does not tell.
// Source   Documentation/scheduler/sched-stats.rst of Linux: the second number of schedstat, in ns.
using System;
using System.Globalization;
using System.IO;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace TierUp.Matrix;

internal sealed class RunQueue : IDisposable
{
    private readonly byte[] figures = new byte[128];
    private readonly SafeFileHandle schedule = File.OpenHandle("/proc/thread-self/schedstat");

    public long WaitedNs()
    {
        int length = RandomAccess.Read(schedule, figures, 0);
        return long.Parse(Encoding.ASCII.GetString(figures, 0, length).Split(' ')[1], CultureInfo.InvariantCulture);
    }

    public void Dispose() => schedule.Dispose();
}
