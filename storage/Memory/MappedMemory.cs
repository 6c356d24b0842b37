using Strata.Storage.Interop;

namespace Strata.Storage.Memory;

/// <summary>
/// Memory in the kernel's pages, of one owner: they take physical memory when first written, and can be moved out of it
/// to another place without a copy.
/// </summary>
public sealed unsafe class MappedMemory : IDisposable
{
    /// <summary>Bytes of one of the kernel's pages.</summary>
    public const int PageBytes = 4096;

    private MappedMemory(nint address, long bytes)
    {
        Start = (byte*)address;
        Bytes = bytes;
    }

    /// <summary>The first byte, where a page begins.</summary>
    public byte* Start { get; private set; }

    /// <summary>Bytes of address space.</summary>
    public long Bytes { get; private set; }

    /// <summary>Maps memory.</summary>
    /// <param name="bytes">At least so many; no memory is taken by that.</param>
    /// <returns>Null where the kernel refuses (ulimit -v, vm.overcommit_memory, vm.max_map_count).</returns>
    public static MappedMemory? TryMap(long bytes)
    {
        var whole = Whole(bytes);
        var address = Libc.Mmap(0, (nuint)whole, Libc.ProtRead | Libc.ProtWrite,
            Libc.MapPrivate | Libc.MapAnonymous | Libc.MapNoReserve, -1, 0);
        return address == -1 ? null : new MappedMemory(address, whole);
    }

    /// <summary>Maps more memory; what is there may move, but each byte stays where it is in its page.</summary>
    /// <exception cref="MemoryExhaustedException">The kernel refused; nothing was changed.</exception>
    public void Grow(long bytes)
    {
        var whole = Whole(bytes);
        var address = Libc.Mremap((nint)Start, (nuint)Bytes, (nuint)whole, Libc.MremapMayMove, 0);
        if (address == -1)
        {
            throw new MemoryExhaustedException($"the system gave no {whole} bytes of memory");
        }

        Start = (byte*)address;
        Bytes = whole;
    }

    /// <summary>Has a range take physical memory now, in one call of the kernel: a fault for each page as it is first
    /// written takes longer. A kernel that does not know how (before 5.14) leaves it at the faults.</summary>
    public void Populate(long offset, long bytes)
    {
        var first = offset & -PageBytes;
        var whole = (nuint)(Whole(offset + bytes) - first);
        _ = Libc.Madvise((nint)(Start + first), whole, Libc.MadvisePopulateWrite);
    }

    /// <summary>Whether bytes lie in it.</summary>
    public bool Contains(byte* start, long bytes) => start >= Start && start + bytes <= Start + Bytes;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Start != null)
        {
            _ = Libc.Munmap((nint)Start, (nuint)Bytes);
            Start = null;
            Bytes = 0;
        }

        GC.SuppressFinalize(this);
    }

    ~MappedMemory() => Dispose();

    private static long Whole(long bytes) => (bytes + PageBytes - 1) & -PageBytes;
}
