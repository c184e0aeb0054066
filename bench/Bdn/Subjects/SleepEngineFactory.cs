// What     The way without the library: after the global set-up, for each of two tiers, 30 calls and a fixed sleep of 250 ms; then the stock
//          engine.
// What not Looks at nothing: whether the code is final afterwards is only known from the trace.
// Threads  The engine's.
// Source   30 calls: the runtime's TC_CallCountThreshold. 250 ms per tier: BenchmarkDotNet's own JIT stage of 0.16 where it has no listener.

using System.Diagnostics;
using System.Globalization;
using System.Threading;
using BenchmarkDotNet.Engines;

namespace TierUp.Bench.Bdn.Subjects;

public sealed class SleepEngineFactory : IEngineFactory
{
    internal const string Prefix = "// slept: ";

    private const int Tiers = 2;
    private const int Calls = 30;
    private const int SleepMilliseconds = 250;

    public IEngine CreateReadyToRun(EngineParameters engineParameters)
    {
        System.Action? setUp = engineParameters.GlobalSetupAction;
        engineParameters.GlobalSetupAction = () =>
        {
            setUp?.Invoke();
            Sleep(engineParameters);
        };
        return new EngineFactory().CreateReadyToRun(engineParameters);
    }

    private static void Sleep(EngineParameters parameters)
    {
        long began = Stopwatch.GetTimestamp();
        Call(parameters);
        for (int tier = 0; tier < Tiers; tier++)
        {
            for (int call = 0; call < Calls; call++)
            {
                Call(parameters);
            }

            Thread.Sleep(SleepMilliseconds);
        }

        double elapsed = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        parameters.Host.WriteLine(Prefix + elapsed.ToString("F3", CultureInfo.InvariantCulture));
    }

    private static void Call(EngineParameters parameters)
    {
        parameters.WorkloadActionNoUnroll(1);
        parameters.OverheadActionNoUnroll(1);
    }
}
