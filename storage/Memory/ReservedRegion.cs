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
    private byte* _base;

    /// <summary>Reserves <paramref name="bytes"/> of address space; no memory is taken.</summary>
    /// <exception cref="MemoryExhaustedException">The kernel refused: an address space limit (ulimit -v), or
    /// vm.overcommit_memory=2.</exception>
    public ReservedRegion(long bytes)
    {
        var address = Libc.Mmap(0, (nuint)bytes, Libc.ProtRead | Libc.ProtWrite,
            Libc.MapPrivate | Libc.MapAnonymous | Libc.MapNoReserve, -1, 0);
        if (address == -1)
        {
            throw new MemoryExhaustedException(
                $"cannot reserve {bytes >> 20} MiB of address space (errno {Marshal.GetLastPInvokeError()}): "
                + "raise 'ulimit -v', or set vm.overcommit_memory to 0 or 1");
        }

        _base = (byte*)address;
        Bytes = bytes;
    }

    /// <summary>The first byte.</summary>
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

    /// <summary>Asks the kernel not to back the region with huge pages. One that knows none refuses, which changes
    /// nothing.</summary>
    public void AvoidHugePages() => _ = Libc.Madvise((nint)_base, (nuint)Bytes, Libc.MadviseNoHugePage);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_base != null)
        {
            _ = Libc.Munmap((nint)_base, (nuint)Bytes);
            _base = null;
        }

        GC.SuppressFinalize(this);
    }

    ~ReservedRegion() => Dispose();
}
