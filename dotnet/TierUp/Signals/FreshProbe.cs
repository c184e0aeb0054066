// What     A method that has never been called and that the runtime tiers, and how to call it.
// What not Waits for nothing.
// Threads  Immutable; its calls are the caller's.

using System;
using System.Runtime.CompilerServices;

namespace TierUp.Signals;

internal readonly unsafe struct FreshProbe
{
    private readonly nint _entryPoint;
    private readonly bool _takesCharacter;

    [MethodImpl(Code.Untiered)]
    internal FreshProbe(RuntimeMethodHandle handle, bool takesCharacter)
    {
        Handle = handle;
        _entryPoint = handle.GetFunctionPointer();
        _takesCharacter = takesCharacter;
    }

    internal RuntimeMethodHandle Handle { [MethodImpl(Code.Untiered)] get; }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal void Call(int times)
    {
        if (_takesCharacter)
        {
            delegate*<char, bool> ofCharacter = (delegate*<char, bool>)_entryPoint;
            for (int i = 0; i < times; i++)
            {
                ofCharacter('7');
            }

            return;
        }

        delegate*<int, int> ofNumber = (delegate*<int, int>)_entryPoint;
        for (int i = 0; i < times; i++)
        {
            ofNumber(i);
        }
    }
}
