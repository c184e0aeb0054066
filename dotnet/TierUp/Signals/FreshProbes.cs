// What     Hands out methods that nobody has called yet and that the runtime tiers: instantiations of ours, or else cold precompiled ones of the framework.
// What not Calls none of them.
// Threads  Under Calibration's lock.
// Failure  false: this process has none (left).
// Source   With TC_QuickJit=0, in a build without optimization and in a collectible load context our own method is not eligible; precompiled code of the
//          core library is (RUNTIME facts, "Knobs"). The framework's candidates are pure functions of one character that few programs call.

using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Signals;

internal static class FreshProbes
{
    /// <summary>How many probes of ours a process may use: a bound for a loop that would run away, not a tuning value.</summary>
    private const int MaxOwn = 1 << 20;

    private const int Digits = 8;

    private static int s_ownUsed;
    private static int s_precompiledUsed;
    private static bool s_ownAreUseless;

    [MethodImpl(Code.Untiered)]
    internal static bool TryTake(out FreshProbe probe)
    {
        while (!s_ownAreUseless && s_ownUsed < MaxOwn)
        {
            RuntimeMethodHandle handle = Own(s_ownUsed++);
            if (IsColdAndEligible(handle))
            {
                probe = new FreshProbe(handle, takesCharacter: false);
                return true;
            }

            s_ownAreUseless = true;
        }

        return TryTakePrecompiled(out probe);
    }

    [MethodImpl(Code.Untiered)]
    private static bool TryTakePrecompiled(out FreshProbe probe)
    {
        for (string? name = PrecompiledName(s_precompiledUsed); name is not null; name = PrecompiledName(s_precompiledUsed))
        {
            s_precompiledUsed++;
            MethodInfo? method = typeof(char).GetMethod(name, new Type[] { typeof(char) });
            if (method is not null && method.ReturnType == typeof(bool) && IsColdAndEligible(method.MethodHandle))
            {
                probe = new FreshProbe(method.MethodHandle, takesCharacter: true);
                return true;
            }
        }

        probe = default;
        return false;
    }

    [MethodImpl(Code.Untiered)]
    private static bool IsColdAndEligible(RuntimeMethodHandle handle)
    {
        if (NativeFunctions.InspectMethod(handle.Value, out NativeMethodIdentity identity) != NativeStatus.Ok || identity.Eligible == 0)
        {
            return false;
        }

        try
        {
            MethodTarget target = MethodTarget.Open(handle, null);
            return target.IsRegistered && target.Poll().Compilation == NativeAnswer.Cold;
        }
        catch (ArgumentException)
        {
            return false;
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }

    /// <summary>The instantiation with this number: its digits, lowest first, are a chain of types.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2055", Justification = "ProbeCode and its structs have no members that trimming could remove.")]
    [UnconditionalSuppressMessage("Trimming", "IL2060", Justification = "As above.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Reached on CoreCLR only, which compiles at run time.")]
    [MethodImpl(Code.Untiered)]
    private static RuntimeMethodHandle Own(int number)
    {
        Type chain = typeof(byte);
        do
        {
            chain = typeof(ProbeCode.Link<,>).MakeGenericType(new Type[] { Digit(number % Digits), chain });
            number /= Digits;
        }
        while (number != 0);
        MethodInfo method = typeof(ProbeCode).GetMethod(nameof(ProbeCode.Beat), BindingFlags.Static | BindingFlags.NonPublic)!;
        return method.MakeGenericMethod(new Type[] { chain }).MethodHandle;
    }

    [MethodImpl(Code.Untiered)]
    private static Type Digit(int digit)
    {
        switch (digit)
        {
            case 0: return typeof(byte);
            case 1: return typeof(short);
            case 2: return typeof(int);
            case 3: return typeof(long);
            case 4: return typeof(float);
            case 5: return typeof(double);
            case 6: return typeof(char);
            default: return typeof(bool);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static string? PrecompiledName(int index)
    {
        switch (index)
        {
            case 0: return nameof(char.IsSymbol);
            case 1: return nameof(char.IsSeparator);
            case 2: return nameof(char.IsNumber);
            case 3: return nameof(char.IsPunctuation);
            case 4: return nameof(char.IsAsciiHexDigitUpper);
            case 5: return nameof(char.IsAsciiHexDigitLower);
            case 6: return nameof(char.IsAsciiLetterUpper);
            case 7: return nameof(char.IsAsciiLetterLower);
            case 8: return nameof(char.IsAsciiHexDigit);
            case 9: return nameof(char.IsAsciiLetterOrDigit);
            case 10: return nameof(char.IsControl);
            case 11: return nameof(char.IsLower);
            case 12: return nameof(char.IsUpper);
            case 13: return nameof(char.IsDigit);
            case 14: return nameof(char.IsLetter);
            case 15: return nameof(char.IsLetterOrDigit);
            case 16: return nameof(char.IsSurrogate);
            case 17: return nameof(char.IsAsciiDigit);
            case 18: return nameof(char.IsAsciiLetter);
            default: return null;
        }
    }
}
