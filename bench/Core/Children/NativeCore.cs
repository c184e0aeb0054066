// What     The functions of the C header that the bench needs beside the C# API: a resolve that may use the remembered version list,
//          and statistics.
// What not Loads no second copy: the path is that of the library TierUp has loaded.
// Failure  DllNotFoundException, EntryPointNotFoundException: the framework's own.
// Source   include/tierup/tierup.h.

using System;
using System.Runtime.InteropServices;

namespace TierUp.Bench.Core.Children;

/// <summary>tierup_statistics.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeStatistics
{
    internal uint Size;
    internal uint DispatcherRunning;
    internal ulong WaitsPending;
    internal ulong WaitsEnded;
    internal ulong Evaluations;
    internal ulong DacQueries;
    internal ulong DacCacheHits;
    internal ulong MethodsRegistered;
}

internal sealed unsafe class NativeCore
{
    private readonly delegate* unmanaged[Cdecl]<ulong, ulong, uint, ulong*, int> _resolve;
    private readonly delegate* unmanaged[Cdecl]<NativeStatistics*, int> _getStatistics;

    internal NativeCore()
    {
        nint library = NativeLibrary.Load(TieredCompilation.Capabilities.NativeLibraryPath);
        _resolve = (delegate* unmanaged[Cdecl]<ulong, ulong, uint, ulong*, int>)NativeLibrary.GetExport(library, "tierup_method_resolve");
        _getStatistics = (delegate* unmanaged[Cdecl]<NativeStatistics*, int>)NativeLibrary.GetExport(library, "tierup_get_statistics");
    }

    /// <summary>Resolves a registered method; true if that worked.</summary>
    internal bool TryResolve(RuntimeMethodHandle handle)
    {
        ulong answer = 0;
        return _resolve((ulong)handle.Value, 0, 0, &answer) == 0;
    }

    internal NativeStatistics Statistics()
    {
        NativeStatistics statistics = default;
        statistics.Size = (uint)sizeof(NativeStatistics);
        if (_getStatistics(&statistics) != 0)
        {
            throw new InvalidOperationException("tierup_get_statistics failed");
        }

        return statistics;
    }
}
