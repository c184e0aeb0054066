// What     Texts of the native library as strings, and ours as UTF-8 for it.
// Threads  [any]
// Failure  A null text reads as "".

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TierUp.Native;

internal static unsafe class NativeText
{
    [MethodImpl(Code.Untiered)]
    internal static string Read(byte* text)
    {
        return Marshal.PtrToStringUTF8((nint)text) ?? "";
    }

    [MethodImpl(Code.Untiered)]
    internal static string OfReason(MethodStateReason reason)
    {
        delegate* unmanaged[Cdecl]<MethodStateReason, byte*> reasonText = NativeFunctions.ReasonText;
        return reasonText == null ? "" : Read(reasonText(reason));
    }
}
