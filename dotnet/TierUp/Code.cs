// What     The implementation flag that every method of this assembly carries.
// What not No code.
// Why      A method without it would be quick-jitted, arm the call-counting delay, be counted and be promoted: the watcher would disturb what
//          it watches. The flag must stand on accessors, constructors, operators and lambdas too; no async methods, iterators or records.
// Source   RUNTIME facts: "first calls of jitted methods arm or extend the delay; AggressiveOptimization methods don't". Test: AttributeWalkTests.

using System.Runtime.CompilerServices;

namespace TierUp;

internal static class Code
{
    /// <summary>Compiled once, optimized, never counted, never promoted.</summary>
    internal const MethodImplOptions Untiered = MethodImplOptions.AggressiveOptimization;
}
