// What     How a native call went.
// Source   tierup_status in tierup.h, by name and value. Test: HeaderMirrorTests.

namespace TierUp.Native;

internal enum NativeStatus
{
    Ok = 0,
    Absent = 1,
    Faulted = 2,
    Unsupported = 3,
    Unknown = 4,
    TimedOut = 5,
    Cancelled = 6,
    InvalidArgument = 7,
    Exhausted = 8,
    NotStarted = 9,
}
