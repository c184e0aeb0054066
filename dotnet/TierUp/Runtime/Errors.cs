// What     Makes the exceptions of this library: what happened, why, what to do.
// What not Decides nothing; callers throw what they get.
// Threads  [any]
// Failure  A method whose name can't be found is called "the method".

using System;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal static class Errors
{
    private const string ParameterName = "method";

    [MethodImpl(Code.Untiered)]
    internal static ArgumentException DefaultHandle()
    {
        return new ArgumentException(
            "The method handle is empty (default). Pass MethodBase.MethodHandle of the method to watch.", ParameterName);
    }

    [MethodImpl(Code.Untiered)]
    internal static ArgumentException NotAlive(nint method)
    {
        return new ArgumentException(
            string.Concat(
                "0x",
                method.ToString("x", CultureInfo.InvariantCulture),
                " is not a live method: its load context was unloaded, or the handle was never a method's. ",
                "Take a fresh handle, and keep the MethodBase or a delegate of a collectible method alive while it is watched."),
            ParameterName);
    }

    [MethodImpl(Code.Untiered)]
    internal static ArgumentException Abstract(MethodBase method)
    {
        return new ArgumentException(
            string.Concat(NameOf(method), " is abstract and never has code. Pass the handle of the overriding or implementing method."), ParameterName);
    }

    [MethodImpl(Code.Untiered)]
    internal static ArgumentException OpenGeneric(MethodBase method)
    {
        return new ArgumentException(
            string.Concat(
                NameOf(method),
                " is an open generic and never has code. Pass an instantiation: MakeGenericMethod for the method, MakeGenericType for its type."),
            ParameterName);
    }

    [MethodImpl(Code.Untiered)]
    internal static ArgumentException NoHandle(MethodBase method, Exception cause)
    {
        return new ArgumentException(
            string.Concat(
                NameOf(method),
                " has no runtime handle: it belongs to a type under construction or to a metadata-only load context. ",
                "Pass the method of the type that the runtime loaded."),
            ParameterName,
            cause);
    }

    [MethodImpl(Code.Untiered)]
    internal static TieringStateUnknownException Undecided(MethodStateReason reason, MethodBase? method)
    {
        string why = NativeText.OfReason(reason);
        if (reason == MethodStateReason.RuntimeUnsupported)
        {
            why = string.Concat(why, " ", TieringHost.PollingReason());
        }

        string text = string.Concat(
            string.Concat("The tiering state of ", NameOf(method), " is not known. "), why.Trim(), " ", WhatToDo(reason));
        return new TieringStateUnknownException(reason, text);
    }

    /// <summary>A native call failed in a way that its contract does not foresee here.</summary>
    [MethodImpl(Code.Untiered)]
    internal static InvalidOperationException Unexpected(string what, NativeStatus status)
    {
        string why = status == NativeStatus.Exhausted
            ? "memory or a thread could not be had."
            : string.Concat("status ", ((int)status).ToString(CultureInfo.InvariantCulture), ".");
        return new InvalidOperationException(string.Concat("The native library of tierup could not ", what, ": ", why));
    }

    /// <summary>The native library was built before it had what is asked for.</summary>
    [MethodImpl(Code.Untiered)]
    internal static TierUpNativeLibraryException OlderLibrary()
    {
        return new TierUpNativeLibraryException(
            string.Concat(
                string.Concat("The native library '", TieringHost.LibraryPath(), "' is older than this TierUp.dll: it has no export "),
                SignalFunctions.Missing,
                ". Use the one of the same package; TieredCompilation.Capabilities tells so without an exception."));
    }

    /// <summary>Whether background compilations are pending can't be found out in this process.</summary>
    [MethodImpl(Code.Untiered)]
    internal static TieringStateUnknownException ProcessUndecided()
    {
        string polling = TieringHost.PollingReason();
        string why = polling.Length != 0 ? polling : SignalsDescription.WhyNoQueueView();
        return new TieringStateUnknownException(
            polling.Length != 0 ? MethodStateReason.RuntimeUnsupported : MethodStateReason.MemoryChanged,
            string.Concat(
                "Whether background compilations are pending is not known: ", why.TrimEnd('.'), ". TieredCompilation.Capabilities says what works here."));
    }

    /// <summary>The runtime does not deliver events to us.</summary>
    [MethodImpl(Code.Untiered)]
    internal static NotSupportedException NoEvents(string why)
    {
        return new NotSupportedException(
            string.Concat(
                string.Concat("Tiering events can't be delivered in this process: ", why.TrimEnd('.'), ". "),
                "They need TierUp.Signals (TIERUP_SIGNALS) not to be Off, and the runtime's diagnostics on (DOTNET_EnableDiagnostics); ",
                "TieredCompilation.Capabilities says how things stand."));
    }

    /// <summary>The runtime's queue was not found in its memory.</summary>
    [MethodImpl(Code.Untiered)]
    internal static NotSupportedException NoQueueView()
    {
        return new NotSupportedException(
            string.Concat(
                "Pending compilations can't be listed in this process: ",
                SignalsDescription.WhyNoQueueView().TrimEnd('.'),
                ". The next background compilations may show where the queue is; TieredCompilation.Capabilities.HasQueueView says so."));
    }

    [MethodImpl(Code.Untiered)]
    private static string WhatToDo(MethodStateReason reason)
    {
        switch (reason)
        {
            case MethodStateReason.NoDac:
            case MethodStateReason.DacFailed:
                return "Run on a runtime installation that has libmscordaccore beside libcoreclr (not a single-file application).";
            case MethodStateReason.CodeNotListed:
                return "Detach the profiler or tool that replaces the method's code, or leave this method out.";
            case MethodStateReason.MemoryChanged:
                return "Ask again when the process is quieter.";
            case MethodStateReason.RuntimeAsync:
                return "Call the method once, then ask again.";
            case MethodStateReason.RuntimeUnsupported:
                return "TieredCompilation.Capabilities says what works here.";
            default:
                return "TieredCompilation.GetMethodState has the details for a bug report.";
        }
    }

    [MethodImpl(Code.Untiered)]
    private static string NameOf(MethodBase? method)
    {
        if (method is null)
        {
            return "the method";
        }

        Type? type = method.DeclaringType;
        return type is null ? method.Name : string.Concat(type.ToString(), ".", method.Name);
    }
}
