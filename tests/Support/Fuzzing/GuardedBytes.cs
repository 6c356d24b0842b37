using System.Runtime.InteropServices;
using NUnit.Framework;

namespace Strata.Tests.Support.Fuzzing;

/// <summary>Memory that ends where nobody may read on: who does ends the process.</summary>
internal sealed unsafe partial class GuardedBytes : IDisposable
{
    private const int NoAccess = 0;
    private const int ReadAndWrite = 3;
    private const int PrivateAnonymous = 0x22;

    private readonly int _capacity;
    private readonly byte* _start;

    public GuardedBytes(int capacity)
    {
        var page = Environment.SystemPageSize;
        _capacity = (capacity + page - 1) / page * page;
        _start = MemoryMap(null, _capacity + page, ReadAndWrite, PrivateAnonymous, -1, 0);
        Assert.That((nint)_start, Is.Not.EqualTo((nint)(-1)), "mmap");
        Assert.That(Protect(_start + _capacity, page, NoAccess), Is.Zero, "mprotect");
    }

    /// <summary>Puts bytes to where nothing follows them, in place of those that were there.</summary>
    public byte* Place(ReadOnlySpan<byte> bytes)
    {
        var target = _start + _capacity - bytes.Length;
        bytes.CopyTo(new Span<byte>(target, bytes.Length));
        return target;
    }

    public void Dispose() => Assert.That(Unmap(_start, _capacity + Environment.SystemPageSize), Is.Zero, "munmap");

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial byte* MemoryMap(
        void* address, nint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "mprotect")]
    private static partial int Protect(void* address, nint length, int protection);

    [LibraryImport("libc", EntryPoint = "munmap")]
    private static partial int Unmap(void* address, nint length);
}
