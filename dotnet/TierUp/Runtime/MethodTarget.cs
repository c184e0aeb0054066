// What     A method handle that was checked and made known to the native library, and how to ask about it.
// What not Waits for nothing.
// Threads  Immutable; [any]
// Failure  ArgumentException for handles that can't be watched; undecidable states are answers here, callers throw.
// Invariant IsRegistered => the method's memory is never unloaded. !HasTiering => nothing native is ever asked.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal readonly struct MethodTarget
{
    private readonly nint _entryPoint;

    [MethodImpl(Code.Untiered)]
    private MethodTarget(nint address, nint entryPoint, MethodKinds kinds, MethodBase? method, bool hasTiering, bool isRegistered)
    {
        Address = address;
        _entryPoint = entryPoint;
        Kinds = kinds;
        Method = method;
        HasTiering = hasTiering;
        IsRegistered = isRegistered;
    }

    internal nint Address { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets the address to give with <see cref="Kinds"/> to natives that may not know the method; 0 for a registered one.</summary>
    internal nint EntryPoint
    {
        [MethodImpl(Code.Untiered)]
        get { return _entryPoint; }
    }

    internal MethodKinds Kinds { [MethodImpl(Code.Untiered)] get; }

    /// <summary>Gets the reflection object where it was needed, for messages.</summary>
    internal MethodBase? Method { [MethodImpl(Code.Untiered)] get; }

    internal bool HasTiering { [MethodImpl(Code.Untiered)] get; }

    internal bool IsRegistered { [MethodImpl(Code.Untiered)] get; }

    internal bool IsClassConstructor
    {
        [MethodImpl(Code.Untiered)]
        get { return (Kinds & MethodKinds.ClassConstructor) != 0 || (IsRegistered && ClassConstructors.Contains(Address)); }
    }

    /// <summary>Checks and registers. The caller keeps <paramref name="handle"/> alive as long as it uses the result.</summary>
    [MethodImpl(Code.Untiered)]
    internal static MethodTarget Open(RuntimeMethodHandle handle, MethodBase? known)
    {
        nint address = handle.Value;
        if (address == 0 && known is null)
        {
            throw Errors.DefaultHandle();
        }

        if (!TieringHost.EnsureStarted())
        {
            return new MethodTarget(address, 0, MethodKinds.None, known, hasTiering: false, isRegistered: false);
        }

        if (!NativeFunctions.PollMethod(NativeFunctions.Poll, address).NeedsRegister)
        {
            return new MethodTarget(address, 0, MethodKinds.None, known, hasTiering: true, isRegistered: true);
        }

        MethodTarget target = Register(handle, known);
        KeepAlive.Handle(handle);
        return target;
    }

    /// <summary>The reflection object, for a message.</summary>
    [MethodImpl(Code.Untiered)]
    internal MethodBase? FindMethod(RuntimeMethodHandle handle)
    {
        return Method ?? (IsRegistered ? MethodReflection.Find(handle) : null);
    }

    /// <summary>The state now. Bits 2 and 3 are clear in the answer.</summary>
    [MethodImpl(Code.Untiered)]
    internal NativeAnswer Poll()
    {
        if (!HasTiering)
        {
            return NativeAnswer.Create(NativeAnswer.Final, MethodStateReason.TieringDisabled, 0);
        }

        if (IsRegistered)
        {
            NativeAnswer answer = NativeFunctions.PollMethod(NativeFunctions.Poll, Address);
            if (!answer.NeedsResolve)
            {
                return answer;
            }
        }

        return Resolve();
    }

    [MethodImpl(Code.Untiered)]
    private NativeAnswer Resolve()
    {
        NativeStatus status = NativeFunctions.ResolveMethod(Address, _entryPoint, Kinds, out NativeAnswer answer);
        switch (status)
        {
            case NativeStatus.Ok:
            case NativeStatus.Unknown:
                return answer;
            case NativeStatus.Absent:
                throw Errors.NotAlive(Address);
            default:
                // Faulted: the chain changed in each of the bounded tries. The rest is not foreseen; "not known" is honest for it too.
                return answer.IsUndecided && answer.Reason != MethodStateReason.None
                    ? answer
                    : NativeAnswer.Create(NativeAnswer.Undecided, MethodStateReason.MemoryChanged, 0);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static MethodTarget Register(RuntimeMethodHandle handle, MethodBase? known)
    {
        nint address = handle.Value;
        // First of all: everything below would crash the process on a descriptor that was freed.
        NativeStatus status = NativeFunctions.InspectMethod(address, out NativeMethodIdentity identity);
        switch (status)
        {
            case NativeStatus.Ok:
                break;
            case NativeStatus.Absent:
                throw Errors.NotAlive(address);
            case NativeStatus.Faulted:
                throw Errors.Undecided(MethodStateReason.MemoryChanged, known);
            case NativeStatus.Unsupported:
                throw Errors.Undecided(MethodStateReason.RuntimeUnsupported, known);
            default:
                throw Errors.Unexpected("inspect a method", status);
        }

        MethodBase? method = known ?? MethodReflection.Find(handle);
        MethodKinds kinds = (MethodKinds)identity.Kinds | (method is null ? MethodKinds.None : MethodFilter.KindsOf(method));
        nint real = (nint)identity.RealMethod;
        nint entryPoint = (real == address ? handle : RuntimeMethodHandle.FromIntPtr(real)).GetFunctionPointer();

        // Without reflection nobody knows whether the method can be unloaded: checked copies only.
        bool isRegistered = method is not null && TryRegister(address, entryPoint, kinds);
        return new MethodTarget(address, isRegistered ? 0 : entryPoint, kinds, method, hasTiering: true, isRegistered);
    }

    [MethodImpl(Code.Untiered)]
    private static bool TryRegister(nint address, nint entryPoint, MethodKinds kinds)
    {
        NativeStatus status = NativeFunctions.RegisterMethod(address, entryPoint, kinds);
        switch (status)
        {
            case NativeStatus.Ok:
                if ((kinds & MethodKinds.ClassConstructor) != 0)
                {
                    ClassConstructors.Add(address);
                }

                return true;
            case NativeStatus.Unsupported:
                return false;
            case NativeStatus.Absent:
                throw Errors.NotAlive(address);
            default:
                throw Errors.Unexpected("register a method", status);
        }
    }
}
