// What     The three names of a method as an event tells them.
// Threads  Immutable.

using System;
using System.Runtime.CompilerServices;

namespace TierUp.Events;

internal sealed class MethodTexts
{
    [MethodImpl(Code.Untiered)]
    internal MethodTexts(nint method, ReadOnlySpan<char> methodNamespace, ReadOnlySpan<char> name, ReadOnlySpan<char> signature)
    {
        Method = method;
        Namespace = methodNamespace.ToString();
        Name = name.ToString();
        Signature = signature.ToString();
    }

    internal nint Method { [MethodImpl(Code.Untiered)] get; }

    internal string Namespace { [MethodImpl(Code.Untiered)] get; }

    internal string Name { [MethodImpl(Code.Untiered)] get; }

    internal string Signature { [MethodImpl(Code.Untiered)] get; }

    /// <summary>A descriptor's address can be used again for another method, so the texts are compared too.</summary>
    [MethodImpl(Code.Untiered)]
    internal bool Fits(nint method, ReadOnlySpan<char> methodNamespace, ReadOnlySpan<char> name, ReadOnlySpan<char> signature)
    {
        return Method == method && name.SequenceEqual(Name) && methodNamespace.SequenceEqual(Namespace) && signature.SequenceEqual(Signature);
    }
}
