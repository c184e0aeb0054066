// What     BenchmarkDotNet's host, with an ear for when actual iterations begin and end.
// What not Changes nothing of what is written.
// Threads  The engine's.
// Source   BenchmarkDotNet 0.15.8, Engine.Run: BeforeMainRun and AfterMainRun around the workload's actual stage.

using System;
using BenchmarkDotNet.Engines;

namespace TierUp.BenchmarkDotNet.Engine015;

internal sealed class WatchingHost : IHost
{
    private readonly IHost _host;
    private readonly Action _begins, _ended;

    internal WatchingHost(IHost host, Action begins, Action ended)
    {
        _host = host;
        _begins = begins;
        _ended = ended;
    }

    public void Dispose()
    {
        _host.Dispose();
    }

    public void Write(string message)
    {
        _host.Write(message);
    }

    public void WriteLine()
    {
        _host.WriteLine();
    }

    public void WriteLine(string message)
    {
        _host.WriteLine(message);
    }

    public void SendError(string message)
    {
        _host.SendError(message);
    }

    public void ReportResults(RunResults runResults)
    {
        _host.ReportResults(runResults);
    }

    public void SendSignal(HostSignal hostSignal)
    {
        if (hostSignal == HostSignal.AfterActualRun)
        {
            _ended();
        }

        _host.SendSignal(hostSignal);
        if (hostSignal == HostSignal.BeforeActualRun)
        {
            _begins();
        }
    }
}
