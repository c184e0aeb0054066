// What     A root with the installed SDK and the runtimes of the matrix beside it, as an installation of several would be: links, made once per run of the tests.
// What not No download; a runtime that scripts/runtimes did not make is absent, and so are its rows.
// Threads  Any (Lazy).
// Failure  No SDK is null, and a skip.
using System;
using System.IO;
using System.Linq;
using TierUp.Matrix.Tests;

namespace TierUp.BenchmarkDotNet.Tests;

internal static class SdkRoot
{
    private static readonly Lazy<string?> root = new(Make);

    /// <summary>For these the default toolchain can build: BenchmarkDotNet 0.15.8 and the SDK know their moniker.</summary>
    public static string[] Monikers => [.. new[] { ("8.0.34", "net8.0"), ("9.0.23", "net9.0") }.Where(pair => Runtimes.Root(pair.Item1) is not null).Select(pair => pair.Item2), "net10.0"];

    public static string? Get() => root.Value;

    private static string? Make()
    {
        string? installed = Runtimes.Root(Runtimes.Installed);
        if (installed is null || !Directory.Exists(Path.Combine(installed, "sdk"))) return null;
        string made = Directory.CreateTempSubdirectory("tierup-sdk-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(made, recursive: true);
        // The host looks for its frameworks beside itself, so it is a copy.
        File.Copy(Path.Combine(installed, "dotnet"), Path.Combine(made, "dotnet"));
        foreach (string folder in Directory.GetDirectories(installed).Where(folder => Path.GetFileName(folder) != "shared"))
        {
            Directory.CreateSymbolicLink(Path.Combine(made, Path.GetFileName(folder)), folder);
        }
        string frameworks = Path.Combine("shared", "Microsoft.NETCore.App");
        Directory.CreateDirectory(Path.Combine(made, frameworks));
        foreach (string from in new[] { installed, Runtimes.Root("8.0.34"), Runtimes.Root("9.0.23") }.OfType<string>())
        {
            foreach (string version in Directory.GetDirectories(Path.Combine(from, frameworks)))
            {
                string link = Path.Combine(made, frameworks, Path.GetFileName(version));
                if (!Directory.Exists(link)) Directory.CreateSymbolicLink(link, version);
            }
        }
        return made;
    }
}
