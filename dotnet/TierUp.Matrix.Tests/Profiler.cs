// What     Builds the little classic profiler of profiler.c with the machine's C compiler, once.
// What not Not part of any package.
// Threads  Any.
// Failure  No compiler: null, and the rows that need it skip.
using System;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;

namespace TierUp.Matrix.Tests;

internal static class Profiler
{
    /// <summary>Stands for the built library in a row's environment.</summary>
    public const string Placeholder = "{profiler}";

    private static readonly Lazy<string?> path = new(Build);

    public static string? Path => path.Value;

    private static string? Build()
    {
        string source = System.IO.Path.Combine(AppContext.BaseDirectory, "profiler.c"), library = System.IO.Path.Combine(AppContext.BaseDirectory, "libmatrixprofiler.so");
        try
        {
            using Process compiler = Process.Start("cc", ["-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Werror", "-O1", "-o", library, source]);
            compiler.WaitForExit();
            return compiler.ExitCode == 0 && File.Exists(library) ? library : throw new InvalidOperationException("cc failed on " + source);
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
