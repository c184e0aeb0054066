// What     What TierUp says of the process as a whole: capabilities and settings, one line each, when the scenario has ended.
// What not Not run earlier: reflection calls many framework methods for the first time.
// Threads  The caller's.
// Failure  A member that throws is an "error" line.
using System;
using System.Reflection;

namespace TierUp.Matrix;

internal static class Report
{
    public static void Environment()
    {
        Log.Say("", "runtime", System.Environment.Version.ToString());
        Log.Say("", "dac", Dac.LoadError);
        try
        {
            Properties("capability", TieredCompilation.Capabilities);
            Properties("setting", TieredCompilation.Settings);
        }
        catch (Exception exception)
        {
            Log.Failed("", "report", exception);
        }
    }

    private static void Properties(string at, object of)
    {
        foreach (PropertyInfo property in of.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            if (property.GetIndexParameters().Length == 0) Log.Say(property.Name, at, property.GetValue(of)?.ToString() ?? "");
        }
    }
}
