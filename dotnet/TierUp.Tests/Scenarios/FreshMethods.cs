// What     Methods that nobody has called: instantiations of one generic method over structs of their own.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.Tests.Scenarios;

internal static class FreshMethods
{
    private static readonly Type[] s_digits = [typeof(byte), typeof(short), typeof(int), typeof(long), typeof(float), typeof(double), typeof(char), typeof(bool)];
    private static int s_used;

    internal static Func<int, int>[] Take(int count)
    {
        Func<int, int>[] methods = new Func<int, int>[count];
        MethodInfo fresh = typeof(FreshMethods).GetMethod(nameof(Fresh), BindingFlags.Static | BindingFlags.NonPublic)!;
        for (int i = 0; i < count; i++)
        {
            Type chain = typeof(byte);
            for (int rest = s_used++; ; rest /= s_digits.Length)
            {
                chain = typeof(Pair<,>).MakeGenericType(s_digits[rest % s_digits.Length], chain);
                if (rest < s_digits.Length)
                {
                    break;
                }
            }

            methods[i] = fresh.MakeGenericMethod(chain).CreateDelegate<Func<int, int>>();
        }

        return methods;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Fresh<T>(int value)
        where T : struct
    {
        return value + 1;
    }

    private struct Pair<TFirst, TSecond>
    {
    }
}
