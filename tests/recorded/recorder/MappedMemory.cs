// What     Looks for values in this process's memory, inside mapped ranges only.
// What not Knows no stub and no instruction: it finds slots by what they hold.
// Failure  An address outside the mapped ranges has no values.
namespace TierUp.StubRecorder;

internal static unsafe class MappedMemory
{
    public static ulong Word(ulong at) => Volatile.Read(ref *(ulong*)at);

    public static ushort Half(ulong at) => Volatile.Read(ref *(ushort*)at);

    public static byte Byte(ulong at) => Volatile.Read(ref *(byte*)at);

    public static byte[] Bytes(ulong at, int count) => new ReadOnlySpan<byte>((void*)at, count).ToArray();

    public static bool IsReadable(ulong at, ulong bytes) => EndOfRange(at) >= at + bytes;

    /// <summary>Addresses in (<paramref name="from"/>, +128 KiB), multiples of 8, that hold <paramref name="value"/>.</summary>
    public static IEnumerable<ulong> SlotsBehind(ulong from, ulong value)
    {
        ulong end = Math.Min(EndOfRange(from), from + 0x20000);
        for (ulong at = (from + 8) & ~7ul; at + 8 <= end; at += 8)
        {
            if (Word(at) == value)
            {
                yield return at;
            }
        }
    }

    public static bool IsExecutable(ulong at) =>
        File.ReadLines("/proc/self/maps").Select(line => line.Split(' ', 3)).Any(fields => fields[1][2] == 'x' && IsIn(fields[0], at));

    private static bool IsIn(string range, ulong at)
    {
        string[] ends = range.Split('-');
        return at >= Convert.ToUInt64(ends[0], 16) && at < Convert.ToUInt64(ends[1], 16);
    }

    /// <summary>The end of the gapless readable memory that holds the address; 0 where it is not readable.</summary>
    private static ulong EndOfRange(ulong at)
    {
        ulong end = 0;
        foreach (string line in File.ReadLines("/proc/self/maps"))
        {
            string[] fields = line.Split(' ', 3);
            string[] range = fields[0].Split('-');
            ulong first = Convert.ToUInt64(range[0], 16);
            ulong last = Convert.ToUInt64(range[1], 16);
            bool isReadable = fields[1][0] == 'r';
            if (end == 0 ? isReadable && at >= first && at < last : isReadable && first == end)
            {
                end = last;
            }
            else if (end != 0)
            {
                break;
            }
        }

        return end;
    }
}
