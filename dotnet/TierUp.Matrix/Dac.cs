// What     The runtime's own list of a method's code versions, read by its data access library, in this process.
// What not No use of TierUp: this is the oracle that TierUp's answers are held against. No decoding, no decisions.
// Threads  One caller at a time (a lock).
// Failure  Read returns an empty array when the library is missing or refuses; LoadError says why.
// Source   sospriv.idl, xclrdata.idl and clrdata.idl of dotnet/diagnostics: interface ids and vtable slots.
using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TierUp.Matrix;

/// <summary>One code version as the runtime lists it. <c>Tier</c> is the runtime's number (DAC enum).</summary>
#pragma warning disable CS0649 // filled by the data access library
internal struct DacVersion
{
    public ulong Code;
    public int Tier;
    public int Padding;
    public ulong Node;
}
#pragma warning restore CS0649

internal static unsafe class Dac
{
    /// <summary>OptimizationTier_OptimizedTier1 of the DAC's enum (sospriv.idl).</summary>
    public const int Tier1 = 4;

    private const int Capacity = 64;
    private const int NotImplemented = unchecked((int)0x80004001);
    private const int Failed = unchecked((int)0x80004005);

    private static readonly object gate = new();
    private static readonly DacVersion* buffer = (DacVersion*)NativeMemory.AllocZeroed(Capacity, (nuint)sizeof(DacVersion));
    private static void*** process;
    private static void*** sos5;
    private static void*** sos;
    private static ulong imageBase;

    public static string LoadError { get; private set; } = "not loaded";

    /// <summary>Loads the data access library that lies beside the runtime.</summary>
    public static void Load()
    {
        string coreclr = FindRuntime();
        string path = Path.Combine(Path.GetDirectoryName(coreclr)!, "libmscordaccore.so");
        if (!NativeLibrary.TryLoad(path, out nint library)) { LoadError = "cannot load " + path; return; }
        if (NativeLibrary.TryGetExport(library, "DllMain", out nint main)) ((delegate* unmanaged<nint, uint, nint, int>)main)(library, 1, 0);
        if (NativeLibrary.TryGetExport(library, "DAC_PAL_InitializeDLL", out nint pal)) ((delegate* unmanaged<int>)pal)();
        var create = (delegate* unmanaged<Guid*, void*, void**, int>)NativeLibrary.GetExport(library, "CLRDataCreateInstance");
        Guid processId = new("5c552ab6-fc09-4cb3-8e36-22fa03c798b7"), sosId = new("127d6abe-6c86-4e48-8e7b-220781c58101");
        void*** created = null, queried = null;
        int result = create(&processId, DataTarget(), (void**)&created);
        if (result != 0) { LoadError = "CLRDataCreateInstance: " + result.ToString("x8"); return; }
        result = ((delegate* unmanaged<void***, Guid*, void**, int>)created[0][0])(created, &sosId, (void**)&queried);
        if (result != 0) { LoadError = "ISOSDacInterface5: " + result.ToString("x8"); return; }
        void*** first = null;
        Guid firstId = new("436f00f2-b42a-4b9f-870c-e73db66ae930");
        result = ((delegate* unmanaged<void***, Guid*, void**, int>)created[0][0])(created, &firstId, (void**)&first);
        if (result != 0) { LoadError = "ISOSDacInterface: " + result.ToString("x8"); return; }
        process = created;
        sos5 = queried;
        sos = first;
        LoadError = "";
    }

    /// <summary>The code versions of a method descriptor, oldest first; empty if they can't be had.</summary>
    public static DacVersion[] Read(nint method)
    {
        lock (gate)
        {
            if (sos5 == null || method == 0) return [];
            int count = 0;
            ((delegate* unmanaged<void***, int>)process[0][3])(process);
            int result = ((delegate* unmanaged<void***, ulong, int, DacVersion*, int, int*, int>)sos5[0][3])(sos5, (ulong)method, 0, buffer, Capacity, &count);
            if (result < 0 || count < 0 || count > Capacity) return [];
            return new ReadOnlySpan<DacVersion>(buffer, count).ToArray();
        }
    }

    /// <summary>True once a version of the given tier has code.</summary>
    public static bool HasCode(nint method, int tier)
    {
        foreach (DacVersion version in Read(method)) if (version.Tier == tier && version.Code != 0) return true;
        return false;
    }

    /// <summary>The address of the one AppDomain; 0 if it can't be had.</summary>
    public static nint AppDomain()
    {
        lock (gate)
        {
            if (sos == null) return 0;
            ulong domain = 0;
            uint needed = 0;
            ((delegate* unmanaged<void***, int>)process[0][3])(process);
            // Slot 5: GetAppDomainList(count, values, needed).
            int result = ((delegate* unmanaged<void***, uint, ulong*, uint*, int>)sos[0][5])(sos, 1, &domain, &needed);
            return result < 0 ? 0 : (nint)domain;
        }
    }

    /// <summary>Copies memory that may not be there; how many bytes were.</summary>
    public static int Copy(nint from, void* to, int bytes)
    {
        Vector local = new() { Base = to, Length = (nuint)bytes }, remote = new() { Base = (void*)from, Length = (nuint)bytes };
        nint read = process_vm_readv(Environment.ProcessId, &local, 1, &remote, 1, 0);
        return read < 0 ? 0 : (int)read;
    }

    private static string FindRuntime()
    {
        foreach (string line in File.ReadAllLines("/proc/self/maps"))
        {
            if (!line.EndsWith("/libcoreclr.so", StringComparison.Ordinal)) continue;
            imageBase = Convert.ToUInt64(line[..line.IndexOf('-')], 16);
            return line[line.IndexOf('/')..];
        }
        throw new InvalidOperationException("no libcoreclr.so is mapped");
    }

    private static void* DataTarget()
    {
        nint* table = (nint*)NativeMemory.Alloc(14, (nuint)sizeof(nint));
        table[0] = (nint)(delegate* unmanaged<void*, Guid*, void**, int>)&QueryInterface;
        table[1] = table[2] = (nint)(delegate* unmanaged<void*, uint>)&Count;
        table[3] = (nint)(delegate* unmanaged<void*, uint*, int>)&MachineType;
        table[4] = (nint)(delegate* unmanaged<void*, uint*, int>)&PointerSize;
        table[5] = (nint)(delegate* unmanaged<void*, char*, ulong*, int>)&ImageBase;
        table[6] = (nint)(delegate* unmanaged<void*, ulong, byte*, uint, uint*, int>)&ReadVirtual;
        for (int slot = 7; slot < 14; slot++) table[slot] = (nint)(delegate* unmanaged<int>)&Refuse;
        nint** target = (nint**)NativeMemory.Alloc(1, (nuint)sizeof(nint));
        *target = table;
        return target;
    }

    [UnmanagedCallersOnly]
    private static int QueryInterface(void* self, Guid* id, void** result)
    {
        // Only IUnknown and ICLRDataTarget are offered; the library asks for richer ones and does without.
        Guid unknown = new(0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x46);
        Guid target = new(0x3e11ccee, 0xd08b, 0x43e5, 0xaf, 0x01, 0x32, 0x71, 0x7a, 0x64, 0xda, 0x03);
        bool known = *id == unknown || *id == target;
        *result = known ? self : null;
        return known ? 0 : unchecked((int)0x80004002);
    }

    [UnmanagedCallersOnly] private static uint Count(void* self) => 1;

    [UnmanagedCallersOnly] private static int MachineType(void* self, uint* type) { *type = 0x8664; return 0; }

    [UnmanagedCallersOnly] private static int PointerSize(void* self, uint* size) { *size = 8; return 0; }

    [UnmanagedCallersOnly] private static int ImageBase(void* self, char* name, ulong* address) { *address = imageBase; return 0; }

    [UnmanagedCallersOnly] private static int Refuse() => NotImplemented;

    [UnmanagedCallersOnly]
    private static int ReadVirtual(void* self, ulong address, byte* to, uint bytes, uint* done)
    {
        Vector local = new() { Base = to, Length = bytes }, remote = new() { Base = (void*)address, Length = bytes };
        nint read = process_vm_readv(Environment.ProcessId, &local, 1, &remote, 1, 0);
        *done = read < 0 ? 0 : (uint)read;
        return read <= 0 ? Failed : 0;
    }

    private struct Vector
    {
        public void* Base;
        public nuint Length;
    }

    [DllImport("libc")]
    private static extern nint process_vm_readv(int process, Vector* local, nuint localCount, Vector* remote, nuint remoteCount, nuint flags);
}
