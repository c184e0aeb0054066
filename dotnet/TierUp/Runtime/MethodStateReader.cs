// What     GetMethodState: asks the native library for a state with its versions and makes the public object of it.
// What not Throws nothing for an undecidable state.
// Threads  [any]
// Failure  Argument and library errors as every poll.
// Source   tierup_method_get_state in tierup.h. One tier ladder has three versions and OSR adds some: 64 is the library's own bound (kMaxCodeVersions).

using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal static unsafe class MethodStateReader
{
    private const int MaxCodeVersions = 64;

    [MethodImpl(Code.Untiered)]
    internal static MethodState Read(RuntimeMethodHandle handle, MethodBase? known, object? owner)
    {
        MethodTarget target = MethodTarget.Open(handle, known);
        if (!target.HasTiering)
        {
            return new MethodState(
                MethodStateReason.TieringDisabled, "This runtime has no tiered compilation.", Array.Empty<CodeVersion>(), default)
            {
                Status = MethodCompilationStatus.Final,
                IsCallCountExact = true,
            };
        }

        NativeMethodState state = default;
        NativeCodeVersion* versions = stackalloc NativeCodeVersion[MaxCodeVersions];
        NativeStatus status = NativeFunctions.GetMethodState(target.Address, target.EntryPoint, target.Kinds, &state, versions, MaxCodeVersions);
        KeepAlive.Handle(handle);
        GC.KeepAlive(owner);
        switch (status)
        {
            case NativeStatus.Ok:
            case NativeStatus.Unknown:
                return Make(target, state, versions);
            case NativeStatus.Absent:
                throw Errors.NotAlive(target.Address);
            default:
                state.Compilation = NativeAnswer.Undecided;
                state.Reason = (uint)MethodStateReason.MemoryChanged;
                state.VersionCount = 0;
                return Make(target, state, versions);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static MethodState Make(in MethodTarget target, in NativeMethodState state, NativeCodeVersion* versions)
    {
        MethodStateReason reason = (MethodStateReason)state.Reason;
        string text = NativeText.OfReason(reason);
        if (reason == MethodStateReason.RuntimeUnsupported)
        {
            text = string.Concat(text, " ", TieringHost.PollingReason());
        }

        return new MethodState(reason, text, MakeVersions(versions, state.VersionCount), UnknownBytes(reason, state))
        {
            Status = state.Compilation == NativeAnswer.Undecided ? null : (MethodCompilationStatus)state.Compilation,
            Tier = (CompilationTier)state.Tier,
            CallsToNextTierPromotion = (int)state.RemainingCalls,
            IsCallCountExact = state.RemainingIsExact != 0,
            EntryPoint = (nint)state.EntryPoint,
            ActiveCode = (nint)state.ActiveCode,
            MethodDescriptor = (nint)state.RealMethod,
            Kinds = (MethodKinds)state.Kinds | target.Kinds,
        };
    }

    [MethodImpl(Code.Untiered)]
    private static CodeVersion[] MakeVersions(NativeCodeVersion* versions, uint count)
    {
        uint kept = count < MaxCodeVersions ? count : MaxCodeVersions;
        CodeVersion[] made = new CodeVersion[kept];
        for (uint i = 0; i < kept; i++)
        {
            made[i] = new CodeVersion(
                (nint)versions[i].Code, (nint)versions[i].Node, (CompilationTier)versions[i].Tier, versions[i].IsActive != 0);
        }

        return made;
    }

    [MethodImpl(Code.Untiered)]
    private static ReadOnlyMemory<byte> UnknownBytes(MethodStateReason reason, in NativeMethodState state)
    {
        if (reason != MethodStateReason.ShapeUnknown)
        {
            return default;
        }

        byte[] bytes = new byte[NativeMethodState.EntryByteCount];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = state.EntryBytes[i];
        }

        return bytes;
    }
}
