// What     The words a poll can answer, made by the header's bit layout.

using TierUp.Native;

namespace TierUp.Tests;

internal static class Answers
{
    internal const ulong Cold = 0 | (1UL << 8) | (1UL << 32);
    internal const ulong InDelay = 1 | (2UL << 8) | (30UL << 32);
    internal const ulong Counted = 1 | (6UL << 8);
    internal const ulong Final = 2 | (16UL << 8) | (7UL << 16);
    internal const ulong ShapeUnknown = 3 | (35UL << 8);
    internal const ulong ClassConstructor = 1 | (9UL << 8) | (29UL << 32);

    internal static ulong Counting(uint calls)
    {
        return 1 | (3UL << 8) | ((ulong)calls << 32);
    }
}
