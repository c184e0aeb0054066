using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using TierUp;

namespace WarmMarkdown;

/// <summary>One method on its way from cold to final: drives it by the library's schedule and remembers what was seen.</summary>
internal sealed class WatchedMethod
{
    // A method that is still cold after so many runs is not called by them: whoever was to call it has it inlined.
    private const int ColdRunsAllowed = 3;

    private const int AskedColumns = 13;

    private readonly MethodBase method;
    private readonly bool isCalledOncePerRun;
    private readonly List<int> asked = [];
    private int firstRun;
    private int lastRun = -1;

    public WatchedMethod(MethodBase method, bool isCalledOncePerRun)
    {
        this.method = method;
        this.isCalledOncePerRun = isCalledOncePerRun;
        Name = $"{method.DeclaringType!.Name}.{method.Name}";
    }

    public string Name { get; }

    /// <summary>The time from the first look to final; null until then.</summary>
    public TimeSpan? Duration { get; private set; }

    public bool IsFinal { get; private set; }

    /// <summary>The work does not call it (any more): it was inlined into its callers.</summary>
    public bool IsUncalled { get; private set; }

    /// <summary>The schedule so far: "1 + 30 + 30".</summary>
    public string Asked
    {
        get
        {
            lock (asked)
            {
                string all = string.Join(" + ", asked);
                return all.Length <= AskedColumns ? all : $"{asked[0]} + … = {asked.Sum()}";
            }
        }
    }

    public int AskedTotal
    {
        get
        {
            lock (asked)
            {
                return asked.Sum();
            }
        }
    }

    public MethodState State => TieredCompilation.GetMethodState(method);

    /// <summary>What is known: the runs, if a run makes one call; a lower bound, if it makes at least one.</summary>
    public string CallsMade(int runsNow)
    {
        int runs = (lastRun < 0 ? runsNow : lastRun) - firstRun;
        return isCalledOncePerRun || runs == 0 ? $"{runs}" : $"≥ {runs}";
    }

    /// <summary>The ten lines of the README, for a method that is called from within a bigger piece of work.</summary>
    public async Task DriveAsync(Workload workload, Action<WatchedMethod> onStep, CancellationToken cancellation)
    {
        RuntimeMethodHandle handle = method.MethodHandle;
        long began = Stopwatch.GetTimestamp();
        firstRun = workload.Runs;

        await foreach (int calls in RuntimeHelpers.EnumerateTierPromotionCallCountsAsync(handle, cancellation).ConfigureAwait(false))
        {
            lock (asked)
            {
                asked.Add(calls);
            }

            onStep(this);

            // One run may make all the calls or only one of them: ask the method, not a counter of ours.
            for (int i = 0; i < calls && RuntimeHelpers.GetCallsToNextTierPromotion(handle) > 0; i++)
            {
                await workload.NextRun().WaitAsync(cancellation).ConfigureAwait(false);
            }

            if (asked.Count >= ColdRunsAllowed && RuntimeHelpers.GetMethodCompilationStatus(handle) == MethodCompilationStatus.Cold)
            {
                IsUncalled = true;
                break;
            }
        }

        lastRun = workload.Runs;
        Duration = Stopwatch.GetElapsedTime(began);
        IsFinal = RuntimeHelpers.IsMethodFullyOptimized(handle);
        onStep(this);
    }
}
