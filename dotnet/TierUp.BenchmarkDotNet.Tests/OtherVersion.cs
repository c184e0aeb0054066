// What     A copy of the subjects in which one file says of itself that it is version 7.1.0: what is left when one package is updated and the other is not.
// What not No second build: the version is changed in the copy, nothing else.
// Threads  [any]
// Failure  An exception if the version is not there exactly once.
// Source   ECMA-335 II.22.2, the Assembly table: HashAlgId (4 bytes), then the version (4 times 2 bytes). The native library: its text "MAJOR.MINOR.PATCH" and a zero.
using System;
using System.IO;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text;

namespace TierUp.BenchmarkDotNet.Tests;

internal static class OtherVersion
{
    public static string Make(string subjects, string file, string folder)
    {
        string to = Path.Combine(folder, "other");
        Directory.CreateDirectory(to);
        foreach (string from in Directory.GetFiles(Path.GetDirectoryName(subjects)!)) File.Copy(from, Path.Combine(to, Path.GetFileName(from)));
        string path = Path.Combine(to, file);
        byte[] bytes = File.ReadAllBytes(path);
        if (Path.GetExtension(file) == ".dll") ChangeAssembly(bytes);
        else ChangeText(bytes);
        File.WriteAllBytes(path, bytes);
        return Path.Combine(to, Path.GetFileName(subjects));
    }

    private static void ChangeAssembly(byte[] bytes)
    {
        using PEReader image = new(new MemoryStream(bytes.AsSpan().ToArray()));
        MetadataReader metadata = image.GetMetadataReader();
        int row = image.PEHeaders.MetadataStartOffset + metadata.GetTableMetadataOffset(TableIndex.Assembly);
        BitConverter.TryWriteBytes(bytes.AsSpan(row + 4), (ushort)7);
        BitConverter.TryWriteBytes(bytes.AsSpan(row + 6), (ushort)1);
        BitConverter.TryWriteBytes(bytes.AsSpan(row + 8), (ushort)0);
    }

    private static void ChangeText(byte[] bytes)
    {
        Version version = typeof(OtherVersion).Assembly.GetName().Version!;
        byte[] text = Encoding.ASCII.GetBytes($"\0{version.ToString(3)}\0");
        int at = bytes.AsSpan().IndexOf(text);
        if (at < 0 || bytes.AsSpan(at + 1).IndexOf(text) >= 0) throw new InvalidOperationException($"the version {version.ToString(3)} is not there exactly once");
        Encoding.ASCII.GetBytes("\07.1.0\0").CopyTo(bytes, at);
    }
}
