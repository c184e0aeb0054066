// What     Native functions of a few instructions: one ignores its argument and returns a small constant (a poll that says "ask tierup_method_resolve"), one
//          returns what stands in a cell of memory (tierup_pending_count).
// Why      Both are called without a GC transition, so they can't be managed code.
// Source   x64: mov eax, imm32; mov rax, imm64; mov rax, [rax]; ret (Intel SDM). arm64: movz w0, imm16; ldr x0, literal; ldr x0, [x0]; ret (Arm ARM).

using System;
using System.Runtime.InteropServices;

namespace TierUp.Tests;

internal static unsafe class ConstantFunction
{
    private const int Read = 1;
    private const int Write = 2;
    private const int Execute = 4;
    private const int PrivateAnonymous = 0x22;
    private const nuint PageBytes = 4096;

    internal static nint Create(byte value)
    {
        byte[] code = RuntimeInformation.ProcessArchitecture == Architecture.Arm64
            ? BitConverter.GetBytes(0xd65f03c0_52800000UL | ((ulong)value << 5))
            : [0xb8, value, 0, 0, 0, 0xc3];
        return Map(code);
    }

    internal static nint ReadingCell(ulong* cell)
    {
        byte[] address = BitConverter.GetBytes((ulong)cell);
        byte[] code = RuntimeInformation.ProcessArchitecture == Architecture.Arm64
            ? [0x80, 0, 0, 0x58, 0, 0, 0x40, 0xf9, 0xc0, 3, 0x5f, 0xd6, 0, 0, 0, 0, .. address]
            : [0x48, 0xb8, .. address, 0x48, 0x8b, 0, 0xc3];
        return Map(code);
    }

    private static nint Map(byte[] code)
    {
        byte* page = MapPage(null, PageBytes, Read | Write, PrivateAnonymous, -1, 0);
        code.CopyTo(new Span<byte>(page, code.Length));
        if (ProtectPage(page, PageBytes, Read | Execute) != 0)
        {
            throw new InvalidOperationException("mprotect");
        }

        return (nint)page;
    }

#pragma warning disable CA5392 // libc has one place.
    [DllImport("libc", EntryPoint = "mmap")]
    private static extern byte* MapPage(void* address, nuint length, int protection, int flags, int file, nint offset);

    [DllImport("libc", EntryPoint = "mprotect")]
    private static extern int ProtectPage(void* address, nuint length, int protection);
#pragma warning restore CA5392
}
