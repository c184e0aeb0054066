// What     A missing or foreign native library, and a runtime without tiering: a second copy of TierUp.dll in a load context of its own starts anew.

using System;
using System.IO;
using System.Reflection;
using System.Runtime.Loader;
using Xunit;

namespace TierUp.Tests;

public sealed class NativeLibraryTests : IDisposable
{
    private const string OverrideDataName = "TierUp.NativeLibraryPath";

    private readonly AssemblyLoadContext _context = new("second copy of TierUp");

    public void Dispose()
    {
        AppContext.SetData(OverrideDataName, null);
    }

    [Fact]
    public void a_missing_library_is_an_exception_that_names_rid_and_paths()
    {
        string path = Path.Combine(Path.GetTempPath(), "no-such-folder", "libtierup.so");
        AppContext.SetData(OverrideDataName, path);
        Exception error = PollInSecondCopy();
        Assert.Equal("TierUpNativeLibraryException", error.GetType().Name);
        Assert.IsAssignableFrom<DllNotFoundException>(error);
        Assert.Contains(path, error.Message, StringComparison.Ordinal);
        Assert.Contains("linux-x64", error.Message, StringComparison.Ordinal);
        Assert.Contains("TIERUP_NATIVE_LIBRARY", error.Message, StringComparison.Ordinal);

        // It stays so, with the same words, and Capabilities tells it without an exception.
        Assert.Equal(error.Message, PollInSecondCopy().Message);
        object capabilities = SecondCopyMember("Capabilities").GetValue(null)!;
        Assert.Equal(false, capabilities.GetType().GetProperty("SupportsPolling")!.GetValue(capabilities));
        Assert.Contains("not found", capabilities.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void a_foreign_library_is_an_exception_that_says_what_does_not_fit()
    {
        string folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        AppContext.SetData(OverrideDataName, Path.Combine(folder, "libSystem.Native.so"));
        Exception error = PollInSecondCopy();
        Assert.Equal("TierUpNativeLibraryException", error.GetType().Name);
        Assert.Contains("tierup_abi_version", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void a_file_that_is_no_library_is_an_exception_with_the_loaders_words()
    {
        string path = typeof(object).Assembly.Location;
        AppContext.SetData(OverrideDataName, path);
        Exception error = PollInSecondCopy();
        Assert.Contains("could not be loaded", error.Message, StringComparison.Ordinal);
        Assert.Contains(path, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void a_runtime_without_tiering_answers_final_without_the_library()
    {
        AppContext.SetData(OverrideDataName, "/no/such/libtierup.so");
        Assembly copy = SecondCopy();
        copy.GetType("TierUp.Runtime.TieringHost")!.GetField("s_phase", BindingFlags.Static | BindingFlags.NonPublic)!.SetValue(null, 2);
        MethodInfo poll = SecondCopyPoll("GetMethodState", typeof(MethodBase));
        object state = poll.Invoke(null, [typeof(NativeLibraryTests).GetMethod(nameof(Dispose))])!;
        Assert.StartsWith("Final: This runtime has no tiered compilation.", state.ToString(), StringComparison.Ordinal);
        MethodInfo delegatePoll = SecondCopyPoll("GetCallsToNextTierPromotion", typeof(Delegate));
        Assert.Equal(0, delegatePoll.Invoke(null, [(Action)Dispose]));
    }

    private Assembly SecondCopy()
    {
        return _context.LoadFromAssemblyPath(typeof(TieredCompilation).Assembly.Location);
    }

    private PropertyInfo SecondCopyMember(string name)
    {
        return SecondCopy().GetType("TierUp.TieredCompilation")!.GetProperty(name)!;
    }

    private MethodInfo SecondCopyPoll(string name, Type argument)
    {
        return SecondCopy().GetType("TierUp.TieredCompilation")!.GetMethod(name, [argument])!;
    }

    private Exception PollInSecondCopy()
    {
        MethodInfo poll = SecondCopyPoll("GetMethodCompilationStatus", typeof(RuntimeMethodHandle));
        RuntimeMethodHandle handle = typeof(NativeLibraryTests).GetMethod(nameof(Dispose))!.MethodHandle;
        return Assert.Throws<TargetInvocationException>(() => poll.Invoke(null, [handle])).InnerException!;
    }
}
