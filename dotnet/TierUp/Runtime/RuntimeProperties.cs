// What     The tiering properties of runtimeconfig.json, as the runtime was given them, in native memory.
// What not Reads no environment: the native library does that by the runtime's rules.
// Threads  Called under TieringHost's lock.
// Failure  A property set at run time by AppContext.SetData is seen here though the runtime never saw it: don't set these.
// Source   The property names in libcoreclr of 8.0.34, 9.0.23, 10.0.15 and 11.0.0 (strings of the binaries); there is none for
//          TC_BackgroundWorkerTimeoutMs.

using System;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal static unsafe class RuntimeProperties
{
    internal const int MaxCount = 6;

    /// <summary>Fills up to <see cref="MaxCount"/> entries; free them with <see cref="Free"/>.</summary>
    [MethodImpl(Code.Untiered)]
    internal static uint Read(NativeProperty* properties)
    {
        uint count = 0;
        for (int i = 0; i < MaxCount; i++)
        {
            string name = NameAt(i);
            string? value = TextOf(AppContext.GetData(name));
            if (value is not null)
            {
                properties[count].Name = (byte*)Marshal.StringToCoTaskMemUTF8(name);
                properties[count].Value = (byte*)Marshal.StringToCoTaskMemUTF8(value);
                count++;
            }
        }

        return count;
    }

    [MethodImpl(Code.Untiered)]
    internal static void Free(NativeProperty* properties, uint count)
    {
        for (uint i = 0; i < count; i++)
        {
            Marshal.FreeCoTaskMem((nint)properties[i].Name);
            Marshal.FreeCoTaskMem((nint)properties[i].Value);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static string NameAt(int index)
    {
        switch (index)
        {
            case 0: return "System.Runtime.TieredCompilation";
            case 1: return "System.Runtime.TieredCompilation.QuickJit";
            case 2: return "System.Runtime.TieredCompilation.QuickJitForLoops";
            case 3: return "System.Runtime.TieredCompilation.CallCountThreshold";
            case 4: return "System.Runtime.TieredCompilation.CallCountingDelayMs";
            default: return "System.Runtime.TieredPGO";
        }
    }

    [MethodImpl(Code.Untiered)]
    private static string? TextOf(object? value)
    {
        if (value is string text)
        {
            return text;
        }

        if (value is bool flag)
        {
            return flag ? "true" : "false";
        }

        return value is IFormattable number ? number.ToString(null, CultureInfo.InvariantCulture) : null;
    }
}
