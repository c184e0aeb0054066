// What     Records the bytes of live stubs, and the addresses of their slots as found by what the slots hold.
// What not Decodes no instruction: the expected addresses must not come from a decoder.
// Failure  Ends with code 1 and the reason where a slot can't be told by its content alone.
// Source   Slot contents: the method handle's value, and code addresses from the runtime's MethodLoad events.
using System.Runtime.InteropServices;
using System.Text.Json;
using TierUp.StubRecorder;

using var code = new CompiledCode();
var recording = new Recording(code);
recording.Run();
string text = JsonSerializer.Serialize(
    new
    {
        runtime = Environment.Version.ToString(),
        architecture = RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant(),
        how = "tests/recorded/recorder",
        stubs = recording.Stubs,
    },
    new JsonSerializerOptions { WriteIndented = true });
if (args.Length > 0)
{
    File.WriteAllText(args[0], text + "\n");
}
else
{
    Console.WriteLine(text);
}
