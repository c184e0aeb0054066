// What     Finds and loads libtierup: explicit places first, then the host's own search; keeps every path tried.
// What not Does not start the library.
// Threads  Called under TieringHost's lock.
// Failure  Returns false; the tried paths and the loader's words say why. Never throws for a missing file.
// Source   Package layout runtimes/<rid>/native: learn.microsoft.com/nuget/create-packages/native-files-in-net-packages.
//          NATIVE_DLL_SEARCH_DIRECTORIES: dotnet/runtime docs/design/features/host-runtime-information.md.

using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TierUp.Native;

internal sealed class NativeLibraryLocator
{
    /// <summary>AppContext data with a path to the native library, to be used instead of all other places.</summary>
    internal const string OverrideDataName = "TierUp.NativeLibraryPath";

    /// <summary>Environment variable with the same meaning; the AppContext data goes first.</summary>
    internal const string OverrideVariableName = "TIERUP_NATIVE_LIBRARY";

    /// <summary>The RIDs for which the package carries a native library.</summary>
    internal const string ShippedRuntimeIdentifiers = "linux-x64";

    private const string SearchDirectoriesName = "NATIVE_DLL_SEARCH_DIRECTORIES";

    private readonly List<string> _triedPaths;

    [MethodImpl(Code.Untiered)]
    internal NativeLibraryLocator()
    {
        _triedPaths = new List<string>();
        RuntimeIdentifier = PortableRuntimeIdentifier();
        FileName = OperatingSystem.IsWindows() ? "tierup.dll" : OperatingSystem.IsMacOS() ? "libtierup.dylib" : "libtierup.so";
    }

    internal string RuntimeIdentifier { [MethodImpl(Code.Untiered)] get; }

    internal string FileName { [MethodImpl(Code.Untiered)] get; }

    internal bool IsShipped
    {
        [MethodImpl(Code.Untiered)]
        get { return string.Equals(RuntimeIdentifier, ShippedRuntimeIdentifiers, StringComparison.Ordinal); }
    }

    internal string LoadedPath { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private set; } = "";

    /// <summary>Gets the loader's words about a file that exists and could not be loaded, or an empty string.</summary>
    internal string LoadError { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private set; } = "";

    [MethodImpl(Code.Untiered)]
    internal string[] TriedPaths()
    {
        return _triedPaths.ToArray();
    }

    [MethodImpl(Code.Untiered)]
    internal bool TryLoad(out nint library)
    {
        string? explicitPath = AppContext.GetData(OverrideDataName) as string ?? Environment.GetEnvironmentVariable(OverrideVariableName);
        if (!string.IsNullOrEmpty(explicitPath))
        {
            return TryLoadFile(explicitPath, out library);
        }

        string layout = Path.Combine("runtimes", RuntimeIdentifier, "native", FileName);
        string assemblyFolder = FolderOfThisAssembly();
        if (assemblyFolder.Length != 0 && (TryLoadFile(Path.Combine(assemblyFolder, FileName), out library)
            || TryLoadFile(Path.Combine(assemblyFolder, layout), out library)
            || TryLoadFile(Path.GetFullPath(Path.Combine(assemblyFolder, "..", "..", layout)), out library)))
        {
            return true;
        }

        return TryLoadFile(Path.Combine(AppContext.BaseDirectory, FileName), out library)
            || TryLoadFile(Path.Combine(AppContext.BaseDirectory, layout), out library)
            || TryLoadFromSearchDirectories(out library)
            || TryLoadByName(out library);
    }

    [MethodImpl(Code.Untiered)]
    private bool TryLoadFile(string path, out nint library)
    {
        library = 0;
        if (_triedPaths.Contains(path))
        {
            return false;
        }

        _triedPaths.Add(path);
        if (!File.Exists(path))
        {
            return false;
        }

        try
        {
            library = NativeLibrary.Load(path);
            LoadedPath = path;
            return true;
        }
        catch (DllNotFoundException error)
        {
            LoadError = error.Message;
        }
        catch (BadImageFormatException error)
        {
            LoadError = error.Message;
        }

        return false;
    }

    [MethodImpl(Code.Untiered)]
    private bool TryLoadFromSearchDirectories(out nint library)
    {
        library = 0;
        if (AppContext.GetData(SearchDirectoriesName) is not string directories)
        {
            return false;
        }

        string[] list = directories.Split(Path.PathSeparator);
        for (int i = 0; i < list.Length; i++)
        {
            if (list[i].Length != 0 && TryLoadFile(Path.Combine(list[i], FileName), out library))
            {
                return true;
            }
        }

        return false;
    }

    [MethodImpl(Code.Untiered)]
    private bool TryLoadByName(out nint library)
    {
        _triedPaths.Add(string.Concat(FileName, " (the system loader's own search)"));
        if (!NativeLibrary.TryLoad(FileName, out library))
        {
            return false;
        }

        LoadedPath = FileName;
        return true;
    }

    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "An empty location (single-file, NativeAOT) is handled: that place is skipped.")]
    [MethodImpl(Code.Untiered)]
    private static string FolderOfThisAssembly()
    {
        return Path.GetDirectoryName(typeof(NativeLibraryLocator).Assembly.Location) ?? "";
    }

    [MethodImpl(Code.Untiered)]
    private static string PortableRuntimeIdentifier()
    {
        string system = OperatingSystem.IsWindows() ? "win"
            : OperatingSystem.IsMacOS() ? "osx"
            : OperatingSystem.IsLinux() ? LinuxFlavour() : "unix";
        return string.Concat(system, "-", ArchitectureName(RuntimeInformation.ProcessArchitecture));
    }

    [MethodImpl(Code.Untiered)]
    private static string LinuxFlavour()
    {
        return RuntimeInformation.RuntimeIdentifier.Contains("musl", StringComparison.Ordinal)
            || RuntimeInformation.RuntimeIdentifier.StartsWith("alpine", StringComparison.Ordinal) ? "linux-musl" : "linux";
    }

    [MethodImpl(Code.Untiered)]
    private static string ArchitectureName(Architecture architecture)
    {
        switch (architecture)
        {
            case Architecture.X64: return "x64";
            case Architecture.Arm64: return "arm64";
            case Architecture.X86: return "x86";
            case Architecture.Arm: return "arm";
            default: return "unknown";
        }
    }
}
