// What     One async method whose state the runtime keeps itself (MethodImplAttributes.Async), no state machine class.
// What not Nothing awaits for real.
// Threads  Any.
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace TierUp.Matrix.RuntimeAsync;

public static class Workload
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static async Task<int> AddAsync(int x)
    {
        await Task.CompletedTask;
        return x * 113;
    }
}
