// What     TierUp three times in one process: in the program's own load context, in a second one with the same native library, and in a third one with
//          a copy of that library from another path. All wait, blocking and awaiting, at the same time; each answer is held against the entry points.
// What not No collectible context: TierUp's own callbacks would have to outlive it.
// Threads  One per context, and pool threads.
// Failure  A wait that ends too early or not at all is a "wrong" line.
using System;
using System.IO;
using System.Reflection;
using System.Runtime.Loader;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class Contexts
{
    private const int Rounds = 6, PerRound = 60, Users = 3;
    private const string PathName = "TierUp.NativeLibraryPath";
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20);

    public static void Run()
    {
        TieredCompilation.WaitForPendingCompilations(bound);
        User own = new("own", typeof(TieredCompilation).Assembly);
        User second = new("second", LoadAgain("second"));
        second.WaitIdle(bound);
        string folder = Directory.CreateTempSubdirectory("tierup-matrix-copy-").FullName;
        try
        {
            string copy = Path.Combine(folder, "libtierup.so");
            File.Copy(TieredCompilation.Capabilities.NativeLibraryPath, copy);
            AppContext.SetData(PathName, copy);
            User third = new("third", LoadAgain("third"));
            third.WaitIdle(bound);
            Play([own, second, third]);
            foreach (User user in new[] { own, second, third }) Log.Say(user.Name, "signals", user.Signals());
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static Assembly LoadAgain(string name) =>
        new AssemblyLoadContext(name).LoadFromAssemblyPath(typeof(TieredCompilation).Assembly.Location);

    private static void Play(User[] users)
    {
        FreshMethods methods = new("contexts", Rounds * PerRound * Users);
        Thread[] threads = new Thread[Users];
        for (int i = 0; i < Users; i++)
        {
            User user = users[i];
            threads[i] = new(() =>
            {
                try { for (int round = 0; round < Rounds; round++) Round(user, methods, round % 2 == 0); }
                catch (Exception exception) { Log.Failed(user.Name, "round", exception); }
                Log.Say(user.Name, "rounds", "", Rounds);
            });
            threads[i].Start();
        }
        foreach (Thread thread in threads) thread.Join();
    }

    private static void Round(User user, FreshMethods methods, bool awaits)
    {
        int from;
        lock (methods) from = methods.Take(PerRound);
        for (int i = from; i < from + PerRound; i++) FreshMethods.Call(methods.Entries[i], 1);
        bool active = awaits ? user.AwaitActive().Wait(bound) : user.WaitActive(bound);
        nint[] codes = new nint[PerRound];
        int counting = 0, promoted = 0;
        for (int i = 0; i < PerRound; i++)
        {
            EntryPoint now = EntryPoint.Read(methods.Entries[from + i]);
            codes[i] = now.Code;
            if (now is { Kind: EntryKind.Counting, Stage: 1 }) counting++;
            FreshMethods.Call(methods.Entries[from + i], now.Remaining);
        }
        bool idle = awaits ? user.AwaitIdle().Wait(bound) : user.WaitIdle(bound);
        for (int i = 0; i < PerRound; i++) if (EntryPoint.Read(methods.Entries[from + i]).Code != codes[i]) promoted++;
        if (!active || !idle || counting != PerRound || promoted != PerRound)
        {
            Log.Say(user.Name, "wrong", $"active {active} counting {counting} idle {idle} promoted {promoted} of {PerRound}, awaited {awaits}");
        }
    }

    /// <summary>The members of one copy of TierUp, by reflection.</summary>
    private sealed class User(string name, Assembly assembly)
    {
        private readonly Type type = assembly.GetType(typeof(TieredCompilation).FullName!)!;

        public string Name { get; } = name;

        public bool WaitIdle(TimeSpan timeout) => Make<Func<TimeSpan, bool>>("WaitForPendingCompilations", typeof(TimeSpan))(timeout);

        public bool WaitActive(TimeSpan timeout) => Make<Func<TimeSpan, bool>>("WaitForTieredCompilationActive", typeof(TimeSpan))(timeout);

        public Task AwaitIdle() => Make<Func<ValueTask>>("WaitForPendingCompilations")().AsTask();

        public Task AwaitActive() => Make<Func<ValueTask>>("WaitForTieredCompilationActive")().AsTask();

        public string Signals()
        {
            object capabilities = type.GetProperty("Capabilities")!.GetValue(null)!;
            object? Get(string property) => capabilities.GetType().GetProperty(property)!.GetValue(capabilities);
            return $"{Get("Signals")} {Get("HasQueueView")} {Get("SignalsReason")}{Get("QueueViewReason")}";
        }

        private T Make<T>(string method, params Type[] parameters)
            where T : Delegate => type.GetMethod(method, parameters)!.CreateDelegate<T>();
    }
}
