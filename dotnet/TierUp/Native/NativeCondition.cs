// What     What a wait waits for.
// Source   tierup_condition in tierup.h, by name and value. Test: HeaderMirrorTests.

namespace TierUp.Native;

internal enum NativeCondition
{
    UntilFinalOrCounting = 0,
    UntilFinal = 1,
}
