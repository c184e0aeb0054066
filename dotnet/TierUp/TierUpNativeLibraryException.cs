// What     libtierup could not be found or used.
// Failure  The message says which RID was looked for, every path tried, and what to do.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text;

namespace TierUp;

/// <summary>
/// Thrown when the native library that comes with the package can't be found or used. <see cref="Exception.Message"/> lists every path tried.
/// <see cref="TieredCompilation.Capabilities"/> tells the same without throwing.
/// </summary>
public sealed class TierUpNativeLibraryException : DllNotFoundException
{
    private readonly string[] _triedPaths;

    /// <summary>Creates the exception without details.</summary>
    [MethodImpl(Code.Untiered)]
    public TierUpNativeLibraryException()
        : this("The native library of tierup could not be loaded.")
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    /// <param name="message">What happened.</param>
    [MethodImpl(Code.Untiered)]
    public TierUpNativeLibraryException(string? message)
        : base(message)
    {
        RuntimeIdentifier = "";
        _triedPaths = Array.Empty<string>();
    }

    /// <summary>Creates the exception with a message and a cause.</summary>
    /// <param name="message">What happened.</param>
    /// <param name="innerException">The cause.</param>
    [MethodImpl(Code.Untiered)]
    public TierUpNativeLibraryException(string? message, Exception? innerException)
        : base(message, innerException)
    {
        RuntimeIdentifier = "";
        _triedPaths = Array.Empty<string>();
    }

    [MethodImpl(Code.Untiered)]
    internal TierUpNativeLibraryException(string what, string runtimeIdentifier, string[] triedPaths)
        : base(Describe(what, runtimeIdentifier, triedPaths))
    {
        RuntimeIdentifier = runtimeIdentifier;
        _triedPaths = triedPaths;
    }

    /// <summary>Gets the RID whose native library was looked for, for example "linux-x64".</summary>
    public string RuntimeIdentifier { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets every path tried, in order.</summary>
    public IReadOnlyList<string> TriedPaths
    {
        [MethodImpl(Code.Untiered)]
        get { return _triedPaths; }
    }

    [MethodImpl(Code.Untiered)]
    private static string Describe(string what, string runtimeIdentifier, string[] triedPaths)
    {
        StringBuilder text = new StringBuilder(512);
        text.Append(what).Append(" Looked for the RID ").Append(runtimeIdentifier).Append(" here:");
        for (int i = 0; i < triedPaths.Length; i++)
        {
            text.AppendLine().Append("  ").Append(triedPaths[i]);
        }

        text.AppendLine();
        text.Append("Reference the NuGet package TierUp from the application itself (its file runtimes/").Append(runtimeIdentifier);
        text.Append("/native belongs into the output), or name the file with the environment variable TIERUP_NATIVE_LIBRARY ");
        text.Append("or the runtimeconfig property TierUp.NativeLibraryPath.");
        return text.ToString();
    }
}
