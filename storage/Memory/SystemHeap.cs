using Strata.Storage.Interop;

namespace Strata.Storage.Memory;

/// <summary>The C library's heap, in which lie what scripts make, buffers of less than a page, and the runtime's own
/// memory. Freed memory stays there, in as many parts as threads have needed, unless it is asked for.</summary>
public sealed class SystemHeap
{
    // What may lie there free, and how much it must have changed since it was given back last, bytes.
    private const long FreeBytes = 8 << 20;
    private const long ChangedBytes = 2 << 20;

    private long _trimmedBytes;
    private bool _isUnknown;

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
            var free = (long)Libc.MallocInfo().FreeBytes;
            if (free < FreeBytes || Math.Abs(free - _trimmedBytes) < ChangedBytes)
            {
                return false;
            }

            _trimmedBytes = free;
            return Libc.MallocTrim(0) != 0;
        }
        catch (EntryPointNotFoundException)
        {
            _isUnknown = true; // Another C library than glibc 2.33 or later.
            return false;
        }
    }
}
