using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Storage.Devices;

/// <summary>
/// A segment of a memory or null device: a range of addresses that the kernel backs with zeroed pages as they are
/// written, or a mere size where bytes are not kept. Counts who uses it, so that one thread may retire it while another
/// copies; the last to leave gives the memory back.
/// </summary>
internal sealed unsafe class MemorySegment
{
    private readonly byte* _memory;
    private readonly long _reservedBytes;
    private long _sizeBytes;
    private int _users = 1;

    private MemorySegment(byte* memory, long reservedBytes)
    {
        _memory = memory;
        _reservedBytes = reservedBytes;
    }

    /// <summary>Bytes from the segment's start to the end of what was written last in it.</summary>
    public long SizeBytes => Volatile.Read(ref _sizeBytes);

    /// <summary>Makes a segment that holds up to <paramref name="bytes"/>.</summary>
    /// <param name="bytes">Its bounds.</param>
    /// <param name="keepsBytes">Whether what is written can be read again; else zeros are read.</param>
    /// <param name="errno">Why there is none.</param>
    /// <returns>Null when the kernel gives no address space.</returns>
    public static MemorySegment? TryCreate(long bytes, bool keepsBytes, out int errno)
    {
        errno = 0;
        if (!keepsBytes)
        {
            return new MemorySegment(null, bytes);
        }

        var reserved = Math.Min(bytes, Limits.MemorySegmentReserveBytes);
        var memory = Libc.Mmap(0, (nuint)reserved, Libc.ProtRead | Libc.ProtWrite,
            Libc.MapPrivate | Libc.MapAnonymous | Libc.MapNoReserve, -1, 0);
        if (memory == -1)
        {
            errno = Marshal.GetLastPInvokeError();
            return null;
        }

        return new MemorySegment((byte*)memory, reserved);
    }

    /// <summary>Keeps the memory there until <see cref="Leave"/>.</summary>
    /// <returns>False when it has been given back.</returns>
    public bool TryEnter()
    {
        var users = Volatile.Read(ref _users);
        while (users > 0)
        {
            var seen = Interlocked.CompareExchange(ref _users, users + 1, users);
            if (seen == users)
            {
                return true;
            }

            users = seen;
        }

        return false;
    }

    /// <summary>Ends a use. The one that the segment began with ends when the device parts with it.</summary>
    public void Leave()
    {
        if (Interlocked.Decrement(ref _users) == 0 && _memory != null)
        {
            Invariant.Check(Libc.Munmap((nint)_memory, (nuint)_reservedBytes) == 0, "a segment's memory is unmapped");
        }
    }

    /// <summary>Copies bytes out, up to the segment's size; for those who have entered.</summary>
    /// <returns>How many.</returns>
    public int Read(long offset, byte* buffer, int bytes)
    {
        var available = (int)Math.Clamp(SizeBytes - offset, 0, bytes);
        if (_memory == null)
        {
            NativeMemory.Clear(buffer, (nuint)available);
        }
        else
        {
            NativeMemory.Copy(_memory + offset, buffer, (nuint)available);
        }

        return available;
    }

    /// <summary>Copies bytes in; for those who have entered.</summary>
    /// <returns>How many, or minus the errno.</returns>
    public int Write(long offset, byte* buffer, int bytes)
    {
        if (offset > _reservedBytes - bytes)
        {
            return -Errno.FileTooLarge;
        }

        if (_memory != null)
        {
            NativeMemory.Copy(buffer, _memory + offset, (nuint)bytes);
        }

        Grow(offset + bytes);
        return bytes;
    }

    private void Grow(long sizeBytes)
    {
        var size = SizeBytes;
        while (size < sizeBytes)
        {
            size = Interlocked.CompareExchange(ref _sizeBytes, sizeBytes, size) is var seen && seen == size
                ? sizeBytes
                : seen;
        }
    }
}
