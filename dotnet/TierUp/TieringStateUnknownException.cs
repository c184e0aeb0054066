// What     A method's tiering state could not be decided.
// Failure  The message says what happened, why, and what to do. Never a guess instead.

using System;
using System.Runtime.CompilerServices;

namespace TierUp;

/// <summary>
/// Thrown by polls and waits when a method's tiering state can't be decided. <see cref="TieredCompilation.GetMethodState(RuntimeMethodHandle)"/>
/// does not throw it: its <see cref="MethodState.Status"/> is <see langword="null"/> then.
/// </summary>
public sealed class TieringStateUnknownException : InvalidOperationException
{
    /// <summary>Creates the exception without details.</summary>
    [MethodImpl(Code.Untiered)]
    public TieringStateUnknownException()
        : base("The tiering state of the method is not known.")
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    /// <param name="message">What happened.</param>
    [MethodImpl(Code.Untiered)]
    public TieringStateUnknownException(string? message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with a message and a cause.</summary>
    /// <param name="message">What happened.</param>
    /// <param name="innerException">The cause.</param>
    [MethodImpl(Code.Untiered)]
    public TieringStateUnknownException(string? message, Exception? innerException)
        : base(message, innerException)
    {
    }

    [MethodImpl(Code.Untiered)]
    internal TieringStateUnknownException(MethodStateReason reason, string message)
        : base(message)
    {
        Reason = reason;
    }

    /// <summary>Gets why the state is not known.</summary>
    public MethodStateReason Reason { [MethodImpl(Code.Untiered)] get; }
}
