// What     A native function that ignores its argument and returns a small constant: a poll that says "ask tierup_method_resolve".
// Why      A poll is called without a GC transition, so it can't be managed code.
// Source   x64: mov eax, imm32; ret (Intel SDM). arm64: movz w0, imm16; ret (Arm ARM).

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
        byte* page = MapPage(null, PageBytes, Read | Write, PrivateAnonymous, -1, 0);
        byte[] code = RuntimeInformation.ProcessArchitecture == Architecture.Arm64
            ? BitConverter.GetBytes(0xd65f03c0_52800000UL | ((ulong)value << 5))
            : [0xb8, value, 0, 0, 0, 0xc3];
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
