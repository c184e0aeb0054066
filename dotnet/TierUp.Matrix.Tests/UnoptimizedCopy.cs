// What     A copy of the workload whose TierUp.dll says of itself that its code is not to be optimized, as one built in Debug does.
// What not No second build: the attribute's value is changed in the copy, so that nothing else differs.
// Threads  [any]
// Failure  An exception if the attribute's value is not there exactly once.
// Source   ECMA-335 II.23.3 (a custom attribute's value: 01 00, the arguments, 00 00); DebuggableAttribute.DebuggingModes: IgnoreSymbolStoreSequencePoints 2,
//          Default 1, DisableOptimizations 0x100, EnableEditAndContinue 4.
using System;
using System.IO;

namespace TierUp.Matrix.Tests;

internal static class UnoptimizedCopy
{
    private static readonly byte[] release = [4 * 2, 1, 0, 2, 0, 0, 0, 0, 0], debug = [4 * 2, 1, 0, 7, 1, 0, 0, 0, 0];

    /// <summary>The copy's path, in a folder of its own under <paramref name="folder"/>.</summary>
    public static string Make(string workload, string folder)
    {
        string to = Path.Combine(folder, "unoptimized");
        Directory.CreateDirectory(to);
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(workload)!)) File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        string library = Path.Combine(to, "TierUp.dll");
        byte[] bytes = File.ReadAllBytes(library);
        int at = bytes.AsSpan().IndexOf(release);
        if (at < 0 || bytes.AsSpan(at + 1).IndexOf(release) >= 0) throw new InvalidOperationException("the DebuggableAttribute of TierUp.dll was not found");
        debug.CopyTo(bytes, at);
        File.WriteAllBytes(library, bytes);
        return Path.Combine(to, Path.GetFileName(workload));
    }
}
