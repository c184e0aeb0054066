// What     The runtimes of the matrix and where their roots are.
// What not It makes no root; scripts/runtimes does.
// Threads  Any.
// Failure  A root that is missing is null and a skip with a reason.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace TierUp.Matrix.Tests;

internal static class Runtimes
{
    public const string Installed = "installed";

    private static readonly string[] pinned = ["8.0.34", "9.0.23", "10.0.15", "11.0.0"];

    /// <summary>All rows' first argument; TIERUP_TEST_RUNTIME leaves one.</summary>
    public static IReadOnlyList<string> All { get; } = Chosen();

    /// <summary>The folder that holds `dotnet` and `shared`, or null.</summary>
    public static string? Root(string runtime)
    {
        if (runtime == Installed)
        {
            string host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? Environment.ProcessPath ?? "";
            return Path.GetFileNameWithoutExtension(host) == "dotnet" ? Path.GetDirectoryName(Path.GetFullPath(Resolve(host))) : null;
        }
        return Candidates().Select(folder => Path.Combine(folder, runtime)).FirstOrDefault(root => File.Exists(Path.Combine(root, "dotnet")));
    }

    /// <summary>What the runtime calls itself: 8, 9, 10 or 11.</summary>
    public static int Major(string runtime) => runtime == Installed ? Environment.Version.Major : int.Parse(runtime[..runtime.IndexOf('.')]);

    private static string Resolve(string path) => File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;

    private static IEnumerable<string> Candidates()
    {
        if (Environment.GetEnvironmentVariable("TIERUP_RUNTIMES") is { Length: > 0 } given) yield return given;
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            yield return Path.Combine(folder.FullName, "build", "runtimes");
        }
    }

    private static IReadOnlyList<string> Chosen()
    {
        string[] all = [.. pinned, Installed];
        string? only = Environment.GetEnvironmentVariable("TIERUP_TEST_RUNTIME");
        if (string.IsNullOrEmpty(only)) return all;
        return all.Contains(only) ? [only] : throw new ArgumentException($"TIERUP_TEST_RUNTIME is '{only}', expected one of: {string.Join(", ", all)}");
    }
}
