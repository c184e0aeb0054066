// What     One method's tiering state, explained.
// What not Not live: a snapshot.
// Threads  Immutable.
// Source   tierup_method_state in tierup.h.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace TierUp;

/// <summary>A snapshot of one method's tiering state, with the reason for it and the code versions the runtime has made.</summary>
public sealed class MethodState
{
    private readonly CodeVersion[] _codeVersions;

    [MethodImpl(Code.Untiered)]
    internal MethodState(MethodStateReason reason, string reasonText, CodeVersion[] codeVersions, ReadOnlyMemory<byte> unknownBytes)
    {
        Reason = reason;
        ReasonText = reasonText;
        _codeVersions = codeVersions;
        UnknownBytes = unknownBytes;
    }

    /// <summary>Gets the status, or <see langword="null"/> where it is not known (then <see cref="Reason"/> says why).</summary>
    public MethodCompilationStatus? Status { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets the reason for <see cref="Status"/>.</summary>
    public MethodStateReason Reason { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets one sentence that explains <see cref="Reason"/>.</summary>
    public string ReasonText { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets the tier of the code that a call enters now; <see cref="CompilationTier.Unknown"/> when cold or not known.</summary>
    public CompilationTier Tier { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>
    /// Gets the number of additional calls to the next promotion: 1 when cold, 0 when final, counted out or not counted.
    /// See <see cref="IsCallCountExact"/>.
    /// </summary>
    public int CallsToNextTierPromotion { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether <see cref="CallsToNextTierPromotion"/> is exact; otherwise it is an upper bound.</summary>
    public bool IsCallCountExact { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets the code versions in the order in which the runtime lists them; empty where they are not known.</summary>
    public IReadOnlyList<CodeVersion> CodeVersions
    {
        [MethodImpl(Code.Untiered)]
        get { return _codeVersions; }
    }

    /// <summary>Gets the stable entry point that callers and function pointers use; 0 where not known.</summary>
    public nint EntryPoint { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets the address of the code that a call enters now, behind all stubs; 0 when cold or not known.</summary>
    public nint ActiveCode { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets the address of the method descriptor that tiers: the handle's own, or the one behind a stub.</summary>
    public nint MethodDescriptor { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets what kind of method it is.</summary>
    public MethodKinds Kinds { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>
    /// Gets the bytes at the entry point that were not understood, for a bug report; empty unless <see cref="Reason"/> is
    /// <see cref="MethodStateReason.ShapeUnknown"/>.
    /// </summary>
    public ReadOnlyMemory<byte> UnknownBytes { [MethodImpl(Code.Untiered)] get; }

    /// <summary>
    /// Describes the state in one line for a log, for example
    /// "Optimizing at Tier0, 12 calls to the next promotion: The counting stub is installed. Versions: Tier0 at 0x7f12a4c01230 (active)".
    /// </summary>
    /// <returns>The text.</returns>
    [MethodImpl(Code.Untiered)]
    public override string ToString()
    {
        StringBuilder text = new StringBuilder(256);
        text.Append(Status.HasValue ? TierNames.Of(Status.GetValueOrDefault()) : "Unknown");
        if (Tier != CompilationTier.Unknown)
        {
            text.Append(" at ").Append(TierNames.Of(Tier));
        }

        if (CallsToNextTierPromotion != 0)
        {
            text.Append(IsCallCountExact ? ", " : ", at most ");
            text.Append(CallsToNextTierPromotion.ToString(CultureInfo.InvariantCulture));
            text.Append(CallsToNextTierPromotion == 1 ? " call to the next promotion" : " calls to the next promotion");
        }

        text.Append(": ").Append(ReasonText);
        for (int i = 0; i < _codeVersions.Length; i++)
        {
            text.Append(i == 0 ? " Versions: " : ", ").Append(_codeVersions[i].ToString());
        }

        AppendUnknownBytes(text);
        return text.ToString();
    }

    [MethodImpl(Code.Untiered)]
    private void AppendUnknownBytes(StringBuilder text)
    {
        if (UnknownBytes.IsEmpty)
        {
            return;
        }

        text.Append(" Entry bytes: ").Append(Convert.ToHexString(UnknownBytes.Span));
    }
}
