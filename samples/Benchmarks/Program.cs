// What     Runs the benchmarks of this project: dotnet run -c Release -f net10.0 -- --filter '*'
// What not No config: the attribute on the classes brings the warm-up stage and its columns.
using BenchmarkDotNet.Running;

BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
