// What     One pending background compilation, as GetPendingCompilations found it.
// What not Not live. The name is looked up when it is first asked for: a look-up costs 10 to 130 µs, on .NET 9 some 10 ms.
// Threads  [any]
// Failure  A method that nobody can name any more is named by its address.
// Source   tierup_pending_compilation in tierup.h.

using System;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using TierUp.Runtime;

namespace TierUp;

/// <summary>One background compilation that was pending when <see cref="TieredCompilation.GetPendingCompilations"/> looked.</summary>
public sealed class PendingCompilation
{
    private string? _name;

    [MethodImpl(Code.Untiered)]
    internal PendingCompilation(nint methodDescriptor, nint versionNode, PendingCompilationState state, CompilationTier targetTier, int position)
    {
        MethodDescriptor = methodDescriptor;
        VersionNode = versionNode;
        State = state;
        TargetTier = targetTier;
        Position = position;
    }

    /// <summary>Gets the address of the method descriptor: what <see cref="RuntimeMethodHandle.Value"/> is for a method that is no stub. 0 where only its existence is known.</summary>
    public nint MethodDescriptor { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets the address of the runtime's node for the version to be compiled; 0 while it has none.</summary>
    public nint VersionNode { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets where the compilation stands.</summary>
    public PendingCompilationState State { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets the tier to be compiled; <see cref="CompilationTier.Unknown"/> where the runtime has not decided it yet.</summary>
    public CompilationTier TargetTier { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets its place in the order in which the runtime will take them, counted from 0.</summary>
    public int Position { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets the method's full name with its parameter types, or its address where it can't be named.</summary>
    public string Name
    {
        [MethodImpl(Code.Untiered)]
        get { return _name ??= MethodNaming.NameOf(MethodDescriptor); }
    }

    /// <summary>Finds the method's reflection object.</summary>
    /// <returns>The method; null if it is no longer alive, or of a kind that a bare descriptor does not lead to (collectible, dynamic).</returns>
    [MethodImpl(Code.Untiered)]
    public MethodBase? TryGetMethod()
    {
        return MethodNaming.TryFind(MethodDescriptor);
    }

    /// <summary>Describes it for a log, for example "2: Queued for Tier1: Parser.Parse(System.String)".</summary>
    /// <returns>The text.</returns>
    [MethodImpl(Code.Untiered)]
    public override string ToString()
    {
        string place = string.Concat(Position.ToString(CultureInfo.InvariantCulture), ": ", TierNames.Of(State));
        string target = TargetTier == CompilationTier.Unknown ? "" : string.Concat(" for ", TierNames.Of(TargetTier));
        return string.Concat(place, target, ": ", Name);
    }
}
