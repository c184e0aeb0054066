// What     The one word in which the native library answers a poll, and its fields.
// What not Not public: MethodState is the readable form.
// Threads  A value.
// Source   tierup_answer and the TIERUP_ANSWER_ macros in tierup.h.

using System.Runtime.CompilerServices;

namespace TierUp.Native;

internal readonly struct NativeAnswer
{
    /// <summary>Bit 2 (needs tierup_method_resolve) and bit 3 (needs tierup_method_register).</summary>
    internal const ulong NeedsMoreMask = NeedsResolveBit | NeedsRegisterBit;

    internal const ulong NeedsResolveBit = 1UL << 2;
    internal const ulong NeedsRegisterBit = 1UL << 3;
    internal const ulong CompilationMask = 3;

    /// <summary>tierup_compilation: TIERUP_COLD, TIERUP_OPTIMIZING, TIERUP_FINAL, TIERUP_UNDECIDED.</summary>
    internal const uint Cold = 0;
    internal const uint Optimizing = 1;
    internal const uint Final = 2;
    internal const uint Undecided = 3;

    private const ulong ExactBit = 1UL << 4;

    private readonly ulong _word;

    [MethodImpl(Code.Untiered)]
    internal NativeAnswer(ulong word)
    {
        _word = word;
    }

    internal uint Compilation
    {
        [MethodImpl(Code.Untiered)]
        get { return (uint)(_word & CompilationMask); }
    }

    internal bool IsUndecided
    {
        [MethodImpl(Code.Untiered)]
        get { return (_word & CompilationMask) == Undecided; }
    }

    /// <summary>Gets a value indicating whether the word is a decided answer that needs nothing more.</summary>
    internal bool IsComplete
    {
        [MethodImpl(Code.Untiered)]
        get { return (_word & NeedsMoreMask) == 0 && (_word & CompilationMask) != Undecided; }
    }

    internal bool NeedsResolve
    {
        [MethodImpl(Code.Untiered)]
        get { return (_word & NeedsResolveBit) != 0; }
    }

    internal bool NeedsRegister
    {
        [MethodImpl(Code.Untiered)]
        get { return (_word & NeedsRegisterBit) != 0; }
    }

    internal bool IsExact
    {
        [MethodImpl(Code.Untiered)]
        get { return (_word & ExactBit) != 0; }
    }

    internal MethodStateReason Reason
    {
        [MethodImpl(Code.Untiered)]
        get { return (MethodStateReason)((_word >> 8) & 0xff); }
    }

    internal CompilationTier Tier
    {
        [MethodImpl(Code.Untiered)]
        get { return (CompilationTier)((_word >> 16) & 0xff); }
    }

    internal int RemainingCalls
    {
        [MethodImpl(Code.Untiered)]
        get { return (int)(_word >> 32); }
    }

    /// <summary>An answer made on the managed side: for hosts without tiering, and for tests.</summary>
    [MethodImpl(Code.Untiered)]
    internal static NativeAnswer Create(uint compilation, MethodStateReason reason, int remaining)
    {
        return new NativeAnswer((uint)compilation | ((ulong)(byte)reason << 8) | ((ulong)(uint)remaining << 32));
    }
}
