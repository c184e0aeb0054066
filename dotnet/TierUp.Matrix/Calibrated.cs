// What     What TierUp says of where the tiering manager is, and what an own search for it finds.
// What not No comparison: the driver program makes it.
// Threads  The caller's.
using System.Collections.Generic;

namespace TierUp.Matrix;

internal static class Calibrated
{
    public static void Run(FreshMethods methods)
    {
        nint domain = Dac.AppDomain();
        int slot = methods.Take(1);
        FreshMethods.Call(methods.Entries[slot], 1);
        List<int> found = DelayList.Find(domain, methods.Handles[slot].Value);
        // Still held after the search: then the delay was active all the time, and the method in its list.
        bool isHeld = EntryPoint.Read(methods.Entries[slot]).Kind == EntryKind.Code;
        NativeFigures.Signals signals = NativeFigures.ReadSignals();
        Log.Say("calibration", "app domain", "", domain);
        Log.Say("calibration", "own search", isHeld ? string.Join(' ', found) : "no delay", found.Count == 1 ? domain + found[0] : 0);
        Log.Say("calibration", "manager address", NativeFigures.Text(signals.FoundBy), (long)signals.ManagerAddress);
        Log.Say("calibration", "queue view", NativeFigures.Text(signals.QueueViewReason), signals.QueueView);
        Log.Say("calibration", "batch known", "", signals.BatchKnown);
        Log.Say("calibration", "state", NativeFigures.Text(signals.StateReason), signals.State);
        Log.Say("calibration", "loaded at startup", "", signals.LoadedAtStartup);
        Log.Say("calibration", "attach ns", "", (long)signals.AttachNs);
    }
}
