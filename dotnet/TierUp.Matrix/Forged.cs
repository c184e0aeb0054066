// What     Handles that name no method. RuntimeMethodHandle.FromIntPtr looks into the descriptor itself on .NET 11 and ends the process when it is
//          garbage (seen: 0x1234), so a good handle's object is made and its number changed.
// What not Not a way for programs to follow.
// Threads  Any.
// Failure  Throws if the object does not hold the number it was made of.
using System;
using System.Runtime.CompilerServices;

namespace TierUp.Matrix;

internal static unsafe class Forged
{
    private const int MaxWords = 12;

    public static RuntimeMethodHandle Handle(RuntimeMethodHandle good, nint value)
    {
        RuntimeMethodHandle handle = RuntimeMethodHandle.FromIntPtr(good.Value);
        // The handle is one reference, to an object that holds the descriptor's address among its fields.
        object holder = Unsafe.As<RuntimeMethodHandle, object>(ref handle);
        ref nint words = ref Unsafe.As<Words>(holder).First;
        for (int i = 0; i < MaxWords; i++)
        {
            ref nint word = ref Unsafe.Add(ref words, i);
            if (word != good.Value) continue;
            word = value;
            if (handle.Value == value) return handle;
            break;
        }
        throw new InvalidOperationException("the handle's object does not hold its number");
    }

    private sealed class Words
    {
        public nint First;
    }
}
