// What     Starts the native library once, on first use, and remembers how that went.
// What not No method state.
// Threads  [any]; the first caller starts under a lock, later ones read one volatile field.
// Failure  A failed start stays failed; each use throws a fresh exception with the same words. Capabilities never throws.
// Source   NativeAOT: no dynamic code and no list of trusted assemblies (a CoreCLR host always passes TRUSTED_PLATFORM_ASSEMBLIES, docs of the hosting
//          layer; RuntimeFeature alone is not enough: an app with PublishAot=true runs on CoreCLR with that switch off while it is developed).
//          Mono: the type Mono.RuntimeStructs exists (RUNTIME facts, "Other hosts").

using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using TierUp.Native;
using TierUp.Waiting;

namespace TierUp.Runtime;

internal static unsafe class TieringHost
{
    private static volatile int s_phase;
    private static object? s_gate;
    private static NativeLibraryLocator? s_locator;
    private static string? s_failure;

    /// <summary>One lock for everything rare: start, registration of class constructors.</summary>
    [MethodImpl(Code.Untiered)]
    internal static object Gate()
    {
        object? gate = s_gate;
        if (gate is not null)
        {
            return gate;
        }

        Interlocked.CompareExchange(ref s_gate, new object(), null);
        return s_gate!;
    }

    /// <summary>True: the native library answers. False: this runtime has no tiering. Throws where neither can be.</summary>
    [MethodImpl(Code.Untiered)]
    internal static bool EnsureStarted()
    {
        int phase = Phase();
        if (phase == HostPhase.Failed)
        {
            throw Failure();
        }

        return phase == HostPhase.Ready;
    }

    [MethodImpl(Code.Untiered)]
    internal static int Phase()
    {
        if (s_phase == HostPhase.NotStarted)
        {
            lock (Gate())
            {
#pragma warning disable CA1508 // Another thread may have started it while this one waited for the lock.
                if (s_phase == HostPhase.NotStarted)
                {
                    Start();
                }
#pragma warning restore CA1508
            }
        }

        return s_phase;
    }

    [MethodImpl(Code.Untiered)]
    internal static string FailureText()
    {
        return s_failure ?? "";
    }

    [MethodImpl(Code.Untiered)]
    internal static string LibraryPath()
    {
        return s_locator is null ? "" : s_locator.LoadedPath;
    }

    /// <summary>Why the native library can't poll this runtime, or "".</summary>
    [MethodImpl(Code.Untiered)]
    internal static string PollingReason()
    {
        NativeCapabilities capabilities = default;
        capabilities.Size = (uint)sizeof(NativeCapabilities);
        bool isKnown = NativeFunctions.GetCapabilities != null && NativeFunctions.GetCapabilities(&capabilities) == NativeStatus.Ok;
        return isKnown ? NativeText.Read(capabilities.PollsReason) : "";
    }

    [MethodImpl(Code.Untiered)]
    private static void Start()
    {
        if (HasNoTiering())
        {
            s_phase = HostPhase.NoTiering;
            return;
        }

        NativeLibraryLocator locator = new NativeLibraryLocator();
        s_locator = locator;
        if (!locator.TryLoad(out nint library))
        {
            s_failure = locator.LoadError.Length == 0
                ? "The native library of tierup was not found."
                : string.Concat("The native library of tierup could not be loaded: ", locator.LoadError);
            s_phase = HostPhase.Failed;
            return;
        }

        string misfit = NativeBinder.Bind(library, out nint poll);
        if (misfit.Length != 0)
        {
            s_failure = string.Concat("The native library '", locator.LoadedPath, "' does not fit this TierUp.dll: ", misfit);
            s_phase = HostPhase.Failed;
            return;
        }

        StartLibrary(poll);
    }

    [MethodImpl(Code.Untiered)]
    private static void StartLibrary(nint poll)
    {
        KeepThisAssembly();
        NativeProperty* properties = stackalloc NativeProperty[RuntimeProperties.MaxCount];
        NativeStartOptions options = default;
        options.Size = (uint)sizeof(NativeStartOptions);
        options.PropertyCount = RuntimeProperties.Read(properties);
        options.Properties = properties;
        options.OnWaitEnded = WaitContext.Entry();
        options.OnThreadBegan = WaitContext.ThreadEntry();
        options.SignalsMode = SignalsSetting.Read();
        NativeStatus status = NativeFunctions.Start(&options);
        RuntimeProperties.Free(properties, options.PropertyCount);
        if (status != NativeStatus.Ok)
        {
            s_failure = Errors.Unexpected("start", status).Message;
            s_phase = HostPhase.Failed;
            return;
        }

        MethodReflection.Prepare();
        NativeFunctions.Poll = poll;
        s_phase = HostPhase.Ready;
        FirstUse.OfPolling();
    }

    /// <summary>The native library holds a pointer to our callback for the life of the process, so a collectible load context must not unload us.</summary>
    [MethodImpl(Code.Untiered)]
    private static void KeepThisAssembly()
    {
        if (typeof(TieringHost).Assembly.IsCollectible)
        {
            GCHandle.Alloc(typeof(TieringHost));
        }
    }

    [MethodImpl(Code.Untiered)]
    private static bool HasNoTiering()
    {
        bool isNativeAot = !RuntimeFeature.IsDynamicCodeSupported && AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") is null;
        return isNativeAot || Type.GetType("Mono.RuntimeStructs") is not null;
    }

    [MethodImpl(Code.Untiered)]
    private static Exception Failure()
    {
        NativeLibraryLocator locator = s_locator!;
        if (!locator.IsShipped && locator.LoadedPath.Length == 0)
        {
            return new PlatformNotSupportedException(
                string.Concat(
                    string.Concat("tierup has no native library for ", locator.RuntimeIdentifier, ", only for "),
                    NativeLibraryLocator.ShippedRuntimeIdentifiers,
                    ". TieredCompilation.Capabilities tells so without an exception. Places searched: ",
                    string.Join(", ", locator.TriedPaths())));
        }

        return locator.LoadedPath.Length == 0 || NativeFunctions.Start == null
            ? new TierUpNativeLibraryException(FailureText(), locator.RuntimeIdentifier, locator.TriedPaths())
            : new InvalidOperationException(FailureText());
    }
}
