// What     The bench's entry: everything is the driver's.
// What not Measures nothing itself.

namespace TierUp.Bench.Bdn;

internal static class Program
{
    private static int Main(string[] arguments)
    {
        return Driver.BdnRun.Run(arguments);
    }
}
