using Strata.Storage.Interop;

namespace Strata.Storage.Memory;

/// <summary>The C library's heap, in which lie what scripts make, buffers of less than a page, and the runtime's own
/// memory. Freed memory stays there, in as many parts as threads have needed, unless it is asked for.</summary>
public sealed class SystemHeap
{
    // What may lie there free, and how much the process must have grown since it was given back last, bytes.
    private const long FreeBytes = 8 << 20;
    private const long GrownBytes = 2 << 20;

    // The least that a block takes, what each has in front, and what all are a multiple of, as of glibc; bytes.
    private const int LeastBlockBytes = 32;
    private const int BlockHeadBytes = 8;
    private const int BlockStep = 16;

    // Blocks of this size and more are mapped one by one, and unmapped when they are freed. Left to itself the library
    // takes larger ones from its heap once one has been freed.
    private const int MappedBytes = 1 << 20;

    private long _residentBytes;
    private bool _isUnknown;

    /// <summary>Settles for the whole process where large blocks lie.</summary>
    public SystemHeap()
    {
        try
        {
            _ = Libc.MallocOption(Libc.MallocMapThreshold, MappedBytes);
        }
        catch (EntryPointNotFoundException)
        {
            _isUnknown = true; // Another C library than glibc.
        }
    }

    /// <summary>What a small block of so many bytes takes, bytes.</summary>
    public static long BytesFor(long bytes)
        => Math.Max(LeastBlockBytes, (bytes + BlockHeadBytes + BlockStep - 1) & -BlockStep);

    /// <summary>Gives all free memory back to the system.</summary>
    public void Trim()
    {
        if (!_isUnknown)
        {
            _ = Libc.MallocTrim(0);
            _residentBytes = ResidentMemory.AllBytes;
        }
    }

    /// <summary>Gives free memory back to the system, if there is much. Takes some 0.1 ms for each megabyte, for which
    /// others wait if they allocate from the same part.</summary>
    /// <returns>Whether any was given back.</returns>
    public bool TryTrim()
    {
        if (_isUnknown)
        {
            return false;
        }

        try
        {
            // What was given back counts as free all the same.
            var residentBytes = ResidentMemory.AllBytes;
            _residentBytes = Math.Min(_residentBytes, residentBytes);
            if (residentBytes < _residentBytes + GrownBytes || (long)Libc.MallocInfo().FreeBytes < FreeBytes)
            {
                return false;
            }

            var isAny = Libc.MallocTrim(0) != 0;
            _residentBytes = ResidentMemory.AllBytes;
            return isAny;
        }
        catch (EntryPointNotFoundException)
        {
            _isUnknown = true; // Another C library than glibc 2.33 or later.
            return false;
        }
    }
}
