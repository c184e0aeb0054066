// What     The names of the methods seen last, so that a method's further events make no new strings.
// What not Not complete: a method may push another one out.
// Threads  One reader.
// Source   Texts behind a tierup_event: namespace, name and signature, each UTF-16 and zero-terminated, name_units with the zeros.

using System;
using System.Runtime.CompilerServices;

namespace TierUp.Events;

internal sealed class MethodTextCache
{
    // A power of two. A method has some six events, close to each other.
    private const int Slots = 1024;

    // The lowest bits of a descriptor's address are always zero.
    private const int AlignmentBits = 3;

    private readonly MethodTexts?[] _slots = new MethodTexts?[Slots];

    [MethodImpl(Code.Untiered)]
    internal MethodTextCache()
    {
    }

    [MethodImpl(Code.Untiered)]
    internal MethodTexts? Find(nint method, ReadOnlySpan<char> texts)
    {
        int slot = (int)(((method >> AlignmentBits) ^ (method >> 13)) & (Slots - 1));
        if (texts.IsEmpty)
        {
            // Queued, activated and discarded are not the runtime's own events and have no texts. They are about methods that tier, whose descriptors
            // are never used again for others.
            MethodTexts? known = _slots[slot];
            return known is not null && known.Method == method && method != 0 ? known : null;
        }

        ReadOnlySpan<char> methodNamespace = Next(ref texts);
        ReadOnlySpan<char> name = Next(ref texts);
        ReadOnlySpan<char> signature = Next(ref texts);
        MethodTexts? found = _slots[slot];
        if (found is null || !found.Fits(method, methodNamespace, name, signature))
        {
            found = new MethodTexts(method, methodNamespace, name, signature);
            _slots[slot] = found;
        }

        return found;
    }

    [MethodImpl(Code.Untiered)]
    private static ReadOnlySpan<char> Next(ref ReadOnlySpan<char> texts)
    {
        int length = 0;
        while (length < texts.Length && texts[length] != '\0')
        {
            length++;
        }

        ReadOnlySpan<char> text = texts.Slice(0, length);
        texts = texts.Slice(length < texts.Length ? length + 1 : length);
        return text;
    }
}
