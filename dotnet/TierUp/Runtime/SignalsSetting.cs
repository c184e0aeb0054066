// What     The application's choice whether the library may attach itself to its own process: TierUp.Signals = Auto | Off.
// What not Decides nothing more: the native library is told once, at its start.
// Threads  Called under TieringHost's lock; Remark afterwards by any thread.
// Failure  An unknown value counts as Auto, and Capabilities says so.
// Order    AppContext.SetData before the first use; the runtimeconfig property; AppContext.SetSwitch (true: Auto, false: Off); the environment
//          variable TIERUP_SIGNALS; Auto. The first two are one place: SetData replaces what runtimeconfig said.

using System;
using System.Runtime.CompilerServices;

namespace TierUp.Runtime;

internal static class SignalsSetting
{
    internal const string DataName = "TierUp.Signals";
    internal const string VariableName = "TIERUP_SIGNALS";

    /// <summary>TIERUP_SIGNALS_AUTO, TIERUP_SIGNALS_OFF.</summary>
    internal const uint Auto = 0;
    internal const uint Off = 1;

    private static string? s_remark;

    /// <summary>Gets a sentence about a value that was not understood, or "".</summary>
    internal static string Remark
    {
        [MethodImpl(Code.Untiered)]
        get { return s_remark ?? ""; }
    }

    [MethodImpl(Code.Untiered)]
    internal static uint Read()
    {
        object? data = AppContext.GetData(DataName);
        if (data is bool flag)
        {
            return flag ? Auto : Off;
        }

        if (data is string text)
        {
            return Parse(text, DataName);
        }

        if (AppContext.TryGetSwitch(DataName, out bool isOn))
        {
            return isOn ? Auto : Off;
        }

        string? variable = Environment.GetEnvironmentVariable(VariableName);
        return string.IsNullOrEmpty(variable) ? Auto : Parse(variable, VariableName);
    }

    [MethodImpl(Code.Untiered)]
    private static uint Parse(string text, string source)
    {
        if (Is(text, "off") || Is(text, "false") || Is(text, "0"))
        {
            return Off;
        }

        if (!Is(text, "auto") && !Is(text, "true") && !Is(text, "1"))
        {
            s_remark = string.Concat(string.Concat(source, " is '", text, "', which is neither Auto nor Off; "), "it counts as Auto.");
        }

        return Auto;
    }

    [MethodImpl(Code.Untiered)]
    private static bool Is(string text, string value)
    {
        return string.Equals(text, value, StringComparison.OrdinalIgnoreCase);
    }
}
