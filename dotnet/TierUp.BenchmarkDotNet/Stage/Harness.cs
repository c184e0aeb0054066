// What     Whose a compiled method is, by the assemblies that have its type and its type arguments: a user's namespace may be called like anybody's.
// What not Generated benchmark classes count as the benchmark: it runs through them, and no file of BenchmarkDotNet's has them.
// Threads  One at a time; not while something is measured: it looks up types.
// Failure  A type that no assembly of the harness or of the runtime has is the benchmark's.

using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal enum Owner
{
    /// <summary>The runtime's libraries: the benchmark and BenchmarkDotNet share them.</summary>
    Library,

    /// <summary>BenchmarkDotNet, what only it uses, and ourselves.</summary>
    Harness,

    /// <summary>The benchmark's own code, or code of a library made for one of its types.</summary>
    Benchmark,
}

internal sealed class Harness
{
    /// <summary>Perfolizer and Pragmastat are what BenchmarkDotNet computes with; a benchmark's project that names a time in its job refers to them too.</summary>
    private static readonly string[] s_roots = ["BenchmarkDotNet", "BenchmarkDotNet.Annotations", "Perfolizer", "Pragmastat", "TierUp", "TierUp.BenchmarkDotNet"];

    private readonly Dictionary<string, Owner> _known = new(StringComparer.Ordinal);
    private readonly List<Assembly> _harness = [], _libraries = [];

    [MethodImpl(Untiered.Code)]
    internal Harness()
    {
        Dictionary<string, Assembly> others = new(StringComparer.Ordinal);
        string folder = Path.GetDirectoryName(typeof(object).Assembly.Location) ?? "";
        foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
        {
            string name = assembly.GetName().Name ?? "";
            if (assembly.IsDynamic || assembly.Location.Length == 0)
            {
                continue;
            }

            // A package may bring a newer file of one of the runtime's own libraries.
            if (File.Exists(Path.Combine(folder, name + ".dll")))
            {
                _libraries.Add(assembly);
            }
            else
            {
                others[name] = assembly;
            }
        }

        HashSet<string> reached = new(StringComparer.Ordinal);
        foreach (string root in s_roots)
        {
            Reach(root, others, reached, mayCross: true);
        }

        // What the benchmark uses as well is not the harness's.
        HashSet<string> ofBenchmark = new(StringComparer.Ordinal);
        foreach (string name in others.Keys)
        {
            if (!reached.Contains(name))
            {
                Reach(name, others, ofBenchmark, mayCross: false);
            }
        }

        foreach (string name in reached)
        {
            if (!ofBenchmark.Contains(name))
            {
                _harness.Add(others[name]);
            }
        }
    }

    /// <summary><paramref name="declaringType"/> is the event's: Namespace.Outer`1+Inner[Arguments].</summary>
    [MethodImpl(Untiered.Code)]
    internal Owner OwnerOf(string? declaringType)
    {
        Owner owner = string.IsNullOrEmpty(declaringType) ? Owner.Benchmark : Owner.Library;
        foreach (string type in (declaringType ?? "").Split('[', ',', ']'))
        {
            string name = type.Trim(' ', '*', '&');
            if (name.Length > 0)
            {
                Owner one = Find(name);
                owner = one > owner ? one : owner;
            }
        }

        return owner;
    }

    [MethodImpl(Untiered.Code)]
    private Owner Find(string type)
    {
        if (!_known.TryGetValue(type, out Owner owner))
        {
            // Every assembly may have types like <PrivateImplementationDetails>; the runtime's have most.
            bool isLibrary = type[0] == '<' || Has(_libraries, type);
            owner = isLibrary ? Owner.Library : Has(_harness, type) ? Owner.Harness : Owner.Benchmark;
            _known.Add(type, owner);
        }

        return owner;
    }

    [MethodImpl(Untiered.Code)]
    private static bool Has(List<Assembly> assemblies, string type)
    {
        foreach (Assembly assembly in assemblies)
        {
            if (assembly.GetType(type) is not null)
            {
                return true;
            }
        }

        return false;
    }

    [MethodImpl(Untiered.Code)]
    private static void Reach(string name, Dictionary<string, Assembly> others, HashSet<string> reached, bool mayCross)
    {
        if (!others.TryGetValue(name, out Assembly? assembly) || (!mayCross && Array.IndexOf(s_roots, name) >= 0) || !reached.Add(name))
        {
            return;
        }

        foreach (AssemblyName reference in assembly.GetReferencedAssemblies())
        {
            Reach(reference.Name ?? "", others, reached, mayCross);
        }
    }
}
