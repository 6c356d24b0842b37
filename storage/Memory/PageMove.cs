using Strata.Storage.Interop;

namespace Strata.Storage.Memory;

/// <summary>
/// Moves bytes from where they are needed no more to where they stay. Where both places have the same phase, that is
/// the same distance from the beginning of one of the kernel's pages, whole pages change their address (mremap); else
/// they are copied, and given back as they are. Either way they take memory once.
/// </summary>
public static unsafe class PageMove
{
    /// <summary>So many of the first bytes stay readable where they were, at least: the slow log shows them.</summary>
    public const int KeptBytes = MappedMemory.PageBytes;

    /// <summary>Fewer bytes are copied: the kernel keeps a mapping for each place that pages were moved to, and no more
    /// than 65,530 of a process.</summary>
    public static readonly long LeastBytes = Math.Max(
        Limits.LeastMovedBytes, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes >> Limits.MovedShareBits);

    // What one call of the kernel moves or copies: others, who need a page, wait for that.
    private const long StepBytes = 32 << 20;
    private const long CopyBytes = 1 << 20;
    private const long PageMask = MappedMemory.PageBytes - 1;

    /// <summary>The phase of an address, bytes.</summary>
    public static int PhaseOf(byte* address) => (int)((long)address & PageMask);

    /// <summary>Moves bytes.</summary>
    /// <param name="source">The first, in private, anonymous memory; behind the kept ones these hold anything
    /// afterwards.</param>
    /// <param name="target">Where they go: private, anonymous memory that nobody else looks at.</param>
    /// <param name="bytes">How many.</param>
    public static void Move(byte* source, byte* target, long bytes)
    {
        var moved = CopyKept(source, target, bytes);
        if (PhaseOf(source) == PhaseOf(target))
        {
            moved += MovePages(source + moved, target + moved, (bytes - moved) & ~PageMask);
        }

        CopyInSteps(source + moved, target + moved, bytes - moved);
    }

    /// <summary>Copies bytes, and gives them back to the system as they are copied.</summary>
    /// <param name="source"><inheritdoc cref="Move" path="/param[@name='source']/node()"/></param>
    /// <param name="target">Where they go.</param>
    /// <param name="bytes">How many.</param>
    public static void CopyAndRelease(byte* source, byte* target, long bytes)
    {
        var copied = CopyKept(source, target, bytes);
        CopyInSteps(source + copied, target + copied, bytes - copied);
    }

    /// <summary>Copies the bytes that stay where they are, up to the end of a page.</summary>
    /// <returns>How many these are.</returns>
    private static long CopyKept(byte* source, byte* target, long bytes)
    {
        var kept = Math.Min(bytes, ((-(long)source) & PageMask) + KeptBytes);
        Buffer.MemoryCopy(source, target, kept, kept);
        return kept;
    }

    /// <summary>Moves whole pages.</summary>
    /// <returns>The bytes that were moved: all of them unless the kernel refuses.</returns>
    private static long MovePages(byte* source, byte* target, long bytes)
    {
        const int Flags = Libc.MremapMayMove | Libc.MremapFixed | Libc.MremapDontUnmap;
        for (long moved = 0; moved < bytes;)
        {
            var step = (nuint)Math.Min(bytes - moved, StepBytes);
            if (Libc.Mremap((nint)(source + moved), step, step, Flags, (nint)(target + moved)) == -1)
            {
                ReservedRegion.Renew(target + moved, (long)step); // It may have been unmapped by then.
                return moved;
            }

            moved += (long)step;
        }

        return bytes;
    }

    private static void CopyInSteps(byte* source, byte* target, long bytes)
    {
        for (long copied = 0; copied < bytes;)
        {
            var step = Math.Min(bytes - copied, CopyBytes);
            Buffer.MemoryCopy(source + copied, target + copied, step, step);
            copied += step;
            ReservedRegion.ReleasePages(source + copied - step, step);
        }
    }
}
