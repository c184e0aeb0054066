// What     The experiment: bring each subject into each state, copy the stub, find its slots by their content.
// What not No offsets: which slot is which follows from what it holds and how that changes.
// Failure  InvalidOperationException where content does not single a slot out.
using System.Runtime.InteropServices;

namespace TierUp.StubRecorder;

internal sealed record Stub(string name, string shape, string at, string bytes, Dictionary<string, string> slots, string evidence);

internal sealed class Recording(CompiledCode code)
{
    private const int WindowBytes = 40;
    private const ulong StubBytes = 24;
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    private ulong _dataDistance;

    public List<Stub> Stubs { get; } = [];

    public void Run()
    {
        ulong firstThreshold = RecordStatic("First", Subjects.First);
        ulong secondThreshold = RecordStatic("Second", Subjects.Second);
        Require(firstThreshold == secondThreshold, "two counting stubs go to one place when their count is used up");
        RecordVirtual();
        RecordPInvoke();
        if (Environment.Version.Major >= 10)
        {
            RecordNativeThunk(); // 8 and 9 have another thunk there, without a data page
        }

        RecordTailCalls();
    }

    private ulong RecordStatic(string name, Func<int, int> call)
    {
        RuntimeMethodHandle handle = Subjects.Handle(name);
        ulong entry = (ulong)handle.GetFunctionPointer();
        ulong method = SingleSlot(entry, (ulong)handle.Value, slot => IsInside(MappedMemory.Word(slot - 8), entry), "method");
        ulong target = method - 8;
        Require(_dataDistance == 0 || _dataDistance == target - entry, "all stubs have their data at one distance");
        _dataDistance = target - entry;
        Record("fixup_precode", "fixup_precode", entry, "unprepared: the slot before the method's holds an address inside the stub",
            ("target", target), ("method", method), ("unprepared_target", MappedMemory.Word(target)));

        Subjects.Sum += call(1);
        ulong start = code.StartOf(handle);
        Require(MappedMemory.Word(target) == start, "after the first call the target slot holds the code address of the MethodLoad event");
        Record("fixup_precode_prepared", "fixup_precode", entry, "the target slot holds the code address of the MethodLoad event",
            ("target", target), ("method", method));

        ulong stub = WaitForChange(target, start);
        return RecordCountingStub(stub, start, call);
    }

    private ulong RecordCountingStub(ulong stub, ulong start, Func<int, int> call)
    {
        ulong target = SingleSlot(stub, start, slot => IsCounted(MappedMemory.Word(slot - 8), call), "counted code");
        Require(target - 8 - stub == _dataDistance, "a counting stub has its data at the distance of the others");
        ulong cell = MappedMemory.Word(target - 8);
        Record("call_counting_stub", "call_counting_stub", stub,
            $"three calls took the count to {MappedMemory.Half(cell)}, stage {MappedMemory.Byte(cell + 2)}",
            ("cell", target - 8), ("target", target), ("threshold", target + 8));
        return MappedMemory.Word(target + 8);
    }

    /// <summary>Three calls take three off the count, and the stage says that counting is on.</summary>
    private static bool IsCounted(ulong cell, Func<int, int> call)
    {
        if (!MappedMemory.IsReadable(cell, 3) || MappedMemory.Byte(cell + 2) != 1)
        {
            return false;
        }

        ushort before = MappedMemory.Half(cell);
        for (int i = 0; i < 3; i++)
        {
            Subjects.Sum += call(i);
        }

        return MappedMemory.Half(cell) == before - 3;
    }

    private void RecordVirtual()
    {
        var subject = new Subjects();
        RuntimeMethodHandle handle = Subjects.Handle("Virtual");
        ulong entry = (ulong)handle.GetFunctionPointer();
        ulong method = SingleSlot(entry, (ulong)handle.Value, slot => IsInside(MappedMemory.Word(slot - 8), entry), "method");
        Subjects.Sum += subject.Virtual(1);
        ulong start = code.StartOf(handle);
        Require(SpinWait.SpinUntil(() => MappedMemory.Word(method - 8) == start, Bound), "the virtual method's precode leads to its code");
        ulong forwarder = WaitForChange(method - 8, start);

        // The forwarder's data is as far behind it as the other stubs' data was seen to be behind them.
        ulong data = forwarder + _dataDistance;
        bool isTargetFirst = MappedMemory.Word(data + 8) == (ulong)handle.Value;
        ulong own = isTargetFirst ? data + 8 : data;
        ulong target = isTargetFirst ? data : data + 8;
        Require(MappedMemory.Word(own) == (ulong)handle.Value, "the forwarder's data holds the method");
        ulong counting = MappedMemory.Word(target);
        Require(MappedMemory.Word(counting + _dataDistance + 8) == start, "the forwarder leads to a stub whose data holds the code address");
        Record("forwarder", isTargetFirst ? "fixup_precode" : "stub_precode", forwarder,
            "the data holds the method, and leads to a stub whose data holds the code address of the MethodLoad event", ("target", target), ("method", own));
        RecordCountingStub(counting, start, subject.Virtual);
    }

    /// <summary>A P/Invoke is never jitted from IL: its precode has the method first and then where to go.</summary>
    private void RecordPInvoke()
    {
        RuntimeMethodHandle handle = Subjects.Handle("ParentProcess");
        ulong entry = (ulong)handle.GetFunctionPointer();
        ulong data = entry + _dataDistance;
        bool isTargetFirst = MappedMemory.Word(data + 8) == (ulong)handle.Value;
        ulong own = isTargetFirst ? data + 8 : data;
        ulong target = isTargetFirst ? data : data + 8;
        Require(MappedMemory.Word(own) == (ulong)handle.Value, "the P/Invoke's data holds the method");
        Require(MappedMemory.IsExecutable(MappedMemory.Word(target)), "the P/Invoke's data leads to code");
        Record("p_invoke", isTargetFirst ? "fixup_precode" : "stub_precode", entry, "the data holds the method and an executable address",
            ("target", target), ("method", own));
    }

    /// <summary>
    /// A delegate's native entry is a stub precode of which only the first slot differs from delegate to delegate:
    /// a secret parameter where other stub precodes have their method.
    /// </summary>
    private void RecordNativeThunk()
    {
        Subjects.Callback first = Subjects.First;
        Subjects.Callback second = Subjects.Second;
        ulong entry = (ulong)Marshal.GetFunctionPointerForDelegate(first);
        ulong data = entry + _dataDistance;
        ulong otherData = (ulong)Marshal.GetFunctionPointerForDelegate(second) + _dataDistance;
        Require(MappedMemory.Word(data) != MappedMemory.Word(otherData), "each thunk has its own parameter");
        Require(MappedMemory.Word(data + 8) == MappedMemory.Word(otherData + 8), "both thunks lead to one place");
        Require(MappedMemory.IsExecutable(MappedMemory.Word(data + 8)), "that place is code");
        Record("native_thunk", "stub_precode", entry, "the first slot differs from thunk to thunk, the second holds one executable address for all",
            ("target", data + 8), ("method", data));
        GC.KeepAlive(first);
        GC.KeepAlive(second);
    }

    private void RecordTailCalls()
    {
        System.Reflection.MethodInfo method = Subjects.ExplicitTailCall();
        Subjects.Sum += method.CreateDelegate<Func<int, int>>()(1);
        RecordCode("explicit_tail_call", method.MethodHandle);
    }

    private void RecordCode(string name, RuntimeMethodHandle handle) =>
        Record(name, "unknown", code.StartOf(handle), "the code address of the MethodLoad event: code, not a stub");

    private void Record(string name, string shape, ulong at, string evidence, params (string Name, ulong At)[] slots) =>
        Stubs.Add(new Stub(name, shape, Hex(at), Convert.ToHexString(MappedMemory.Bytes(at, WindowBytes)).ToLowerInvariant(),
            slots.ToDictionary(slot => slot.Name, slot => Hex(slot.At)), evidence));

    private static ulong SingleSlot(ulong from, ulong value, Func<ulong, bool> isRight, string what)
    {
        ulong[] slots = MappedMemory.SlotsBehind(from, value).Where(isRight).ToArray();
        Require(slots.Length == 1, $"{slots.Length} slots behind 0x{from:x} hold the {what}");
        return slots[0];
    }

    private static ulong WaitForChange(ulong slot, ulong from)
    {
        Require(SpinWait.SpinUntil(() => MappedMemory.Word(slot) != from, Bound), "the call counting delay ends and a stub is installed");
        return MappedMemory.Word(slot);
    }

    private static bool IsInside(ulong value, ulong stub) => value > stub && value < stub + StubBytes;

    private static string Hex(ulong value) => "0x" + value.ToString("x");

    private static void Require(bool condition, string what)
    {
        if (!condition)
        {
            throw new InvalidOperationException("not so: " + what);
        }
    }
}
