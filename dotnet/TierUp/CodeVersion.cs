// What     One compiled (or queued) body of a method.
// What not Follows no address; the addresses are for display and comparison.
// Threads  Immutable.
// Source   tierup_code_version in tierup.h.

using System;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace TierUp;

/// <summary>One compiled (or queued) body of a method, as the runtime lists it.</summary>
public readonly struct CodeVersion : IEquatable<CodeVersion>
{
    /// <summary>Creates a description of a code version.</summary>
    /// <param name="code">Address of its native code, or 0 while it has none.</param>
    /// <param name="node">Address of the runtime's version node, or 0 for the method's first version.</param>
    /// <param name="tier">What produced the code.</param>
    /// <param name="isActive">Whether calls enter this version.</param>
    [MethodImpl(TierUp.Code.Untiered)]
    public CodeVersion(nint code, nint node, CompilationTier tier, bool isActive)
    {
        Code = code;
        Node = node;
        Tier = tier;
        IsActive = isActive;
    }

    /// <summary>Gets the address of its native code; 0 while it is queued or being compiled.</summary>
    public nint Code { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets the address of the runtime's version node; 0 for the method's first version.</summary>
    public nint Node { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets what produced (or will produce) the code.</summary>
    public CompilationTier Tier { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Gets a value indicating whether calls enter this version, through a counting stub or not.</summary>
    public bool IsActive { [MethodImpl(TierUp.Code.Untiered)] get; }

    /// <summary>Compares all members.</summary>
    /// <param name="left">One version.</param>
    /// <param name="right">Another version.</param>
    /// <returns>Whether they are equal.</returns>
    [MethodImpl(TierUp.Code.Untiered)]
    public static bool operator ==(CodeVersion left, CodeVersion right)
    {
        return left.Equals(right);
    }

    /// <summary>Compares all members.</summary>
    /// <param name="left">One version.</param>
    /// <param name="right">Another version.</param>
    /// <returns>Whether they differ.</returns>
    [MethodImpl(TierUp.Code.Untiered)]
    public static bool operator !=(CodeVersion left, CodeVersion right)
    {
        return !left.Equals(right);
    }

    /// <inheritdoc/>
    [MethodImpl(TierUp.Code.Untiered)]
    public bool Equals(CodeVersion other)
    {
        return Code == other.Code && Node == other.Node && Tier == other.Tier && IsActive == other.IsActive;
    }

    /// <inheritdoc/>
    [MethodImpl(TierUp.Code.Untiered)]
    public override bool Equals(object? obj)
    {
        return obj is CodeVersion other && Equals(other);
    }

    /// <inheritdoc/>
    [MethodImpl(TierUp.Code.Untiered)]
    public override int GetHashCode()
    {
        return unchecked((int)Code ^ ((int)Node * 31) ^ ((int)Tier << 24) ^ (IsActive ? 1 : 0));
    }

    /// <summary>Describes the version for a log, for example "Tier1 at 0x7f12a4c01230 (active)".</summary>
    /// <returns>The text.</returns>
    [MethodImpl(TierUp.Code.Untiered)]
    public override string ToString()
    {
        string tier = TierNames.Of(Tier);
        if (Code == 0)
        {
            return string.Concat(tier, " (no code yet)");
        }

        return string.Concat(tier, " at 0x", Code.ToString("x", CultureInfo.InvariantCulture), IsActive ? " (active)" : "");
    }
}
