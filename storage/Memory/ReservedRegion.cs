using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Storage.Memory;

/// <summary>
/// A range of address space that never moves: pages of it take physical memory when first written and give it back on
/// <see cref="Release"/>, after which they read as zeros. Because nothing is ever unmapped before
/// <see cref="Dispose"/>, a reader without a lease may follow a stale pointer into it without a fault.
/// </summary>
public sealed unsafe class ReservedRegion : IDisposable
{
    /// <summary>Bytes of the kernel's huge pages.</summary>
    public const int HugePageBytes = 2 << 20;

    private readonly nint _mapping;
    private byte* _base;

    /// <summary>Reserves <paramref name="bytes"/> of address space; no memory is taken.</summary>
    /// <exception cref="MemoryExhaustedException">The kernel refused: an address space limit (ulimit -v), or
    /// vm.overcommit_memory=2.</exception>
    public ReservedRegion(long bytes)
        : this(Map(bytes), bytes)
    {
        if (_mapping == -1)
        {
            throw new MemoryExhaustedException(
                $"cannot reserve {bytes >> 20} MiB of address space (errno {Marshal.GetLastPInvokeError()}): "
                + "raise 'ulimit -v', or set vm.overcommit_memory to 0 or 1");
        }
    }

    private ReservedRegion(nint mapping, long bytes)
    {
        _mapping = mapping;
        _base = mapping == -1 ? null : (byte*)((mapping + HugePageBytes - 1) & -HugePageBytes);
        Bytes = bytes;
    }

    /// <summary>Reserves address space, if the kernel gives it; else null.</summary>
    public static ReservedRegion? TryReserve(long bytes)
    {
        var mapping = Map(bytes);
        return mapping == -1 ? null : new ReservedRegion(mapping, bytes);
    }

    /// <summary>The first byte, where a huge page may begin.</summary>
    public byte* Base => _base;

    /// <summary>Bytes of address space.</summary>
    public long Bytes { get; }

    /// <summary>Gives the physical memory of whole 4 KiB pages inside the range back to the system.</summary>
    public void Release(long offset, long bytes) => ReleasePages(_base + offset, bytes);

    /// <summary>Asks the kernel to back a part of the region, which is touched from now on, with huge pages, or not to.
    /// A kernel that knows none refuses, and one that has none at hand takes small ones: that costs speed only.
    /// </summary>
    public void AdviseHugePages(long offset, long bytes, bool uses)
        => _ = Libc.Madvise(
            (nint)(_base + offset), (nuint)bytes, uses ? Libc.MadviseHugePage : Libc.MadviseNoHugePage);

    /// <summary>Gives whole pages inside a range, which need not be a region's, back to the system.</summary>
    internal static void ReleasePages(byte* start, long bytes)
    {
        const long Mask = MappedMemory.PageBytes - 1;
        var first = ((long)start + Mask) & ~Mask;
        var end = ((long)start + bytes) & ~Mask;
        if (end > first && Libc.Madvise((nint)first, (nuint)(end - first), Libc.MadviseDontNeed) != 0)
        {
            throw new InvalidOperationException($"madvise failed, errno {Marshal.GetLastPInvokeError()}");
        }
    }

    /// <summary>Maps pages anew that others were moved to (<see cref="PageMove"/>), so that the kernel need not keep a
    /// mapping apart for them. They read as zeros, and there is never a moment when they are not mapped.</summary>
    internal static void Renew(byte* start, long bytes)
    {
        var address = Libc.Mmap((nint)start, (nuint)bytes, Libc.ProtRead | Libc.ProtWrite,
            Libc.MapPrivate | Libc.MapAnonymous | Libc.MapNoReserve | Libc.MapFixed, -1, 0);
        Invariant.Check(address == (nint)start, "the kernel maps pages anew where some were");
        _ = Libc.Madvise((nint)start, (nuint)bytes, Libc.MadviseNoHugePage); // As the pages around them.
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_base != null)
        {
            _ = Libc.Munmap(_mapping, (nuint)(Bytes + HugePageBytes));
            _base = null;
        }

        GC.SuppressFinalize(this);
    }

    ~ReservedRegion() => Dispose();

    private static nint Map(long bytes)
        => Libc.Mmap(0, (nuint)(bytes + HugePageBytes), Libc.ProtRead | Libc.ProtWrite,
            Libc.MapPrivate | Libc.MapAnonymous | Libc.MapNoReserve, -1, 0);
}
