// What     What a wait waits for.
// Source   tierup_condition in tierup.h, by name and value. Test: HeaderMirrorTests.

namespace TierUp.Native;

internal enum NativeCondition
{
    UntilFinalOrCounting = 0,
    UntilFinal = 1,

    /// <summary>Process-wide, method 0.</summary>
    UntilTieringActive = 2,

    /// <summary>Process-wide, method 0.</summary>
    UntilNoPending = 3,

    /// <summary>The method is the number of an event stream.</summary>
    UntilEvents = 4,
}
