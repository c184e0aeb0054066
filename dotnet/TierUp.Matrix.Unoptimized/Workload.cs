// What     Two methods of a module that was compiled without optimization: they never tier.
// Threads  Any.
namespace TierUp.Matrix.Unoptimized;

public static class Workload
{
    public static int Plain(int x) => x * 127;

    public static int Loop(int n)
    {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i ^ n;
        return sum;
    }
}
