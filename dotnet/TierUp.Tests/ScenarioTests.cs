// What     The process-wide members and the event streams in processes of their own, against the runtime's own word (EventListener, JitInfo).
// Source   RUNTIME facts, "The ladder" and "Knobs".

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace TierUp.Tests;

public sealed class ScenarioTests
{
    [Fact]
    public async Task a_stream_tells_a_methods_ladder_as_the_runtime_does()
    {
        string[] lines = await Run("ladder");
        Assert.DoesNotContain(lines, line => line.StartsWith("hole", StringComparison.Ordinal));
        string[] steps = [.. Of(lines, "step").Where(step => !step.StartsWith("JitStarted", StringComparison.Ordinal))];
        Assert.Equal(
            [
                "Published Tier0", "Queued Tier0Instrumented", "Published Tier0Instrumented", "Activated Tier0Instrumented", "Queued Tier1",
                "Published Tier1", "Activated Tier1",
            ],
            steps);
        string[] kinds = [.. Of(lines, "step").Select(step => step.Split(' ')[0])];
        Assert.Equal(
            [
                "JitStarted", "Published", "Queued", "JitStarted", "Published", "Activated", "Queued", "JitStarted", "Published", "Activated",
            ],
            kinds);

        // Code address, size, thread and name of each: the listener's.
        Assert.Equal(3, Of(lines, "loaded").Length);
        Assert.Equal(Of(lines, "loaded"), Of(lines, "published"));
    }

    [Fact]
    public async Task a_stream_tells_every_compilation_that_the_runtime_counts()
    {
        string[] lines = await Run("flood");
        Assert.Equal(["0"], Of(lines, "holes"));
        Assert.Equal(["1000"], Of(lines, "ours"));
        Assert.Equal(["1000 distinct 1000"], Of(lines, "published"));
        string[] threads = Of(lines, "thread");
        Assert.Equal(4, threads.Length);
        foreach (string thread in threads)
        {
            string[] words = thread.Split(' ');
            Assert.True(words[1] == words[3], thread);
        }
    }

    [Fact]
    public async Task a_burst_is_listed_counted_and_waited_for()
    {
        string[] lines = await Run("burst");
        foreach (string fact in new[] { "count", "in order", "named", "queued", "idle", "compiled" })
        {
            Assert.Equal(["True"], Of(lines, fact));
        }

        Assert.Equal(["0"], Of(lines, "left"));
    }

    [Fact]
    public async Task a_second_wait_in_a_quiet_process_compiles_nothing_and_begins_no_delay()
    {
        string[] lines = await Run("quiet");
        Assert.Equal(["0"], Of(lines, "compiled"));
        Assert.Equal(["0"], Of(lines, "loaded"));
        // The last mark's.
        Assert.Equal(["1"], Of(lines, "pauses"));
    }

    [Theory]
    [InlineData("", "attached")]
    [InlineData("DOTNET_TieredPGO=0", "attached")]
    [InlineData("DOTNET_TC_QuickJit=0", "attached")]
    [InlineData("DOTNET_TC_CallCountingDelayMs=0", "attached")]
    [InlineData("DOTNET_TC_CallCountingDelayMs=1", "attached")]
    [InlineData("DOTNET_TC_UseCallCountingStubs=0", "attached")]
    [InlineData("TIERUP_SIGNALS=Off", "off")]
    [InlineData("TIERUP_SIGNALS=Off DOTNET_TC_CallCountingDelayMs=0", "off")]
    [InlineData("TIERUP_SIGNALS=Off DOTNET_TC_QuickJit=0", "off")]
    [InlineData("DOTNET_EnableDiagnostics=0", "failed")]
    [InlineData("DOTNET_TieredCompilation=0", "")]
    [InlineData("DOTNET_TC_CallCounting=0", "")]
    public async Task the_waits_end_and_the_count_comes_to_zero(string settings, string signals)
    {
        ArgumentNullException.ThrowIfNull(settings);
        string[] lines = await Run("waits", settings.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        foreach (string fact in new[] { "active", "idle", "active again", "idle again" })
        {
            Assert.Contains(fact + " True", lines);
        }

        // Until the library can tell idle from pending, the count is at least 1. Without events it may take longer than this process lives.
        bool isKnown = Of(lines, "known").Single() == "True" || signals.Length == 0;
        Assert.True(isKnown || signals is "off" or "failed");
        Assert.Equal([isKnown ? "0" : "1"], Of(lines, "last count"));
        if (signals.Length == 0)
        {
            // Nothing is ever promoted, so nothing was attached either.
            Assert.Equal(["0"], Of(lines, "first count"));
            return;
        }

        Assert.NotEqual(["0"], Of(lines, "first count"));
        Assert.Contains("signals " + signals, Of(lines, "capabilities").Single(), StringComparison.Ordinal);
        if (!settings.Contains("QuickJit", StringComparison.Ordinal))
        {
            Assert.Equal(["True"], Of(lines, "compiled"));
        }
    }

    private static string[] Of(IEnumerable<string> lines, string fact)
    {
        return [.. lines.Where(line => line.StartsWith(fact + " ", StringComparison.Ordinal)).Select(line => line[(fact.Length + 1)..])];
    }

    private static async Task<string[]> Run(string scenario, params string[] settings)
    {
        string? host = Environment.ProcessPath;
        bool isDotnet = host is not null && Path.GetFileNameWithoutExtension(host) == "dotnet";
        ProcessStartInfo start = new(isDotnet ? host! : "dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add(typeof(ScenarioTests).Assembly.Location);
        start.ArgumentList.Add(scenario);
        foreach (string setting in settings)
        {
            string[] pair = setting.Split('=');
            start.Environment[pair[0]] = pair[1];
        }

        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync(new System.Threading.CancellationTokenSource(TimeSpan.FromMinutes(5)).Token);
        string text = await output;
        Assert.True(process.ExitCode == 0, $"exit code {process.ExitCode}\n{text}\n{await errors}");
        return text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
