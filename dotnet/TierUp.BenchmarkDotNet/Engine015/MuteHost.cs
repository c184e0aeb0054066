// What     A host that writes everything to nowhere, by the same way as the real one: a text writer on a stream.
// What not No output, no signals.
// Threads  The engine's.

using System;
using System.IO;
using System.Text;
using BenchmarkDotNet.Engines;

namespace TierUp.BenchmarkDotNet.Engine015;

internal sealed class MuteHost : IHost
{
    private readonly StreamWriter _writer = new StreamWriter(
        new FileStream(OperatingSystem.IsWindows() ? "NUL" : "/dev/null", FileMode.Open, FileAccess.Write), new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true };

    public void Dispose()
    {
        _writer.Dispose();
    }

    public void Write(string message)
    {
        _writer.Write(message);
    }

    public void WriteLine()
    {
        _writer.WriteLine();
    }

    public void WriteLine(string message)
    {
        _writer.WriteLine(message);
    }

    public void SendError(string message)
    {
    }

    public void SendSignal(HostSignal hostSignal)
    {
    }

    public void ReportResults(RunResults runResults)
    {
    }
}
