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
    {
        var address = Libc.Mmap(0, (nuint)(bytes + HugePageBytes), Libc.ProtRead | Libc.ProtWrite,
            Libc.MapPrivate | Libc.MapAnonymous | Libc.MapNoReserve, -1, 0);
        if (address == -1)
        {
            throw new MemoryExhaustedException(
                $"cannot reserve {bytes >> 20} MiB of address space (errno {Marshal.GetLastPInvokeError()}): "
                + "raise 'ulimit -v', or set vm.overcommit_memory to 0 or 1");
        }

        _mapping = address;
        _base = (byte*)((address + HugePageBytes - 1) & -HugePageBytes);
        Bytes = bytes;
    }

    /// <summary>The first byte, where a huge page may begin.</summary>
    public byte* Base => _base;

    /// <summary>Bytes of address space.</summary>
    public long Bytes { get; }

    /// <summary>Gives the physical memory of whole 4 KiB pages inside the range back to the system.</summary>
    public void Release(long offset, long bytes)
    {
        if (bytes > 0 && Libc.Madvise((nint)(_base + offset), (nuint)bytes, Libc.MadviseDontNeed) != 0)
        {
            throw new InvalidOperationException($"madvise failed, errno {Marshal.GetLastPInvokeError()}");
        }
    }

    /// <summary>Asks the kernel to back a part of the region, which is touched from now on, with huge pages, or not to.
    /// A kernel that knows none refuses, and one that has none at hand takes small ones: that costs speed only.
    /// </summary>
    public void AdviseHugePages(long offset, long bytes, bool uses)
        => _ = Libc.Madvise(
            (nint)(_base + offset), (nuint)bytes, uses ? Libc.MadviseHugePage : Libc.MadviseNoHugePage);

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
}
