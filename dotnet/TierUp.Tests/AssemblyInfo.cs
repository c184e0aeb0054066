// The fake library replaces process-wide function pointers, so no two tests may run at the same time.

using System.Runtime.CompilerServices;
using Xunit;

[assembly: CollectionBehavior(DisableTestParallelization = true)]
[assembly: DisableRuntimeMarshalling]
