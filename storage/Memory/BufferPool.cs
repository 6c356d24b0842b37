using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Storage.Memory;

/// <summary>
/// Memory for buffers of all threads. Those of less than a page lie in the C library's heap. Others are pages of the
/// kernel's: up to a size blocks of size classes (<see cref="PagedBlocks"/>), beyond it mapped one by one, which grow
/// without being copied. The library's heap would keep several times what is in use of them. To have the kernel make
/// and clear new pages for each takes longer than to fill them, so some that were given back are kept for a while: a
/// small part of the memory limit, which counts as used.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "The reserved range has a finalizer: it goes after all buffers.")]
public sealed unsafe class BufferPool
{
    private const long HugePageBytes = 2 << 20;

    // What the kernel makes, or what is copied, in one go: others wait for that. The rest of a buffer it makes as that
    // is written to, in a little more time.
    private const long BytesAtOnce = 1 << 20;

    // How many times as large as is needed a kept buffer may be that is taken.
    private const int GrowthTaken = 8;

    private readonly MemoryBudget _budget;
    private readonly IdleSlot[] _idle = new IdleSlot[Limits.MaxIdleBuffers];
    private PagedBlocks? _paged;
    private long _idleBytes;
    private int _mapped;
    private long _nowMs;
    private long _trimmedMs;

    internal BufferPool(MemoryBudget budget)
    {
        _budget = budget;
    }

    ~BufferPool() => Release(long.MaxValue); // The rest has a finalizer of its own.

    /// <summary>Whether the largest ask the kernel for huge pages, which it makes in a fraction of the time.</summary>
    public bool UsesHugePages { get; set; }

    /// <summary>Bytes kept for use again, which are charged to the budget.</summary>
    public long IdleBytes => Volatile.Read(ref _idleBytes);

    /// <summary>The most that is kept, bytes.</summary>
    public long MostIdleBytes => _budget.LimitBytes is not 0 and var limit
        ? Math.Min(limit / Limits.IdleBufferShare, Limits.MaxIdleBufferBytes)
        : Limits.MaxIdleBufferBytes;

    /// <summary>Gives back to the system what has been idle for long.</summary>
    /// <param name="nowMs">The time.</param>
    public void Trim(long nowMs)
    {
        Volatile.Write(ref _nowMs, nowMs);
        if (IdleBytes > 0)
        {
            Release(nowMs - Limits.BufferIdleMs);
        }

        if (Math.Abs(nowMs - _trimmedMs) >= Limits.BufferIdleMs)
        {
            _trimmedMs = nowMs;
            _ = ReleasePaged(isAll: false);
        }
    }

    /// <summary>Gives all that is kept back to the system.</summary>
    /// <returns>Whether anything was.</returns>
    public bool ReleaseIdle() => IdleBytes > 0 && (Release(long.MaxValue) | ReleasePaged(isAll: true));

    /// <summary>What a buffer for so many bytes takes if it is made for them, bytes.</summary>
    public static long BytesTakenFor(long bytes)
        => bytes < MappedMemory.PageBytes ? bytes
            : bytes < Limits.LeastMappedBufferBytes ? PagedBlocks.BytesFor(bytes)
            : Whole(bytes, bytes);

    /// <summary>Has a block hold so many bytes, of which the first stay what they are; charges what it has.</summary>
    /// <param name="block">The block; one without memory is allocated.</param>
    /// <param name="charge">What it is charged as.</param>
    /// <param name="bytes">At least so many; 0 for none.</param>
    /// <param name="freeBytes">How many of them are not charged.</param>
    /// <param name="fits">Whether it is not to be much larger, because it is kept for longer than a command takes.
    /// </param>
    /// <exception cref="OutOfMemoryException">The system gives no more; nothing was changed.</exception>
    public void Resize(
        ref NativeBlock block, ref MemoryCharge charge, long bytes, long freeBytes = 0, bool fits = false)
    {
        if (bytes >= block.Bytes)
        {
            block = bytes == 0 ? block : Grown(block, bytes, fits);
            charge.Set(Math.Max(0, block.Bytes - freeBytes));
            return;
        }

        if (bytes > 0 && BytesTakenFor(bytes) == block.Bytes)
        {
            return;
        }

        var smaller = bytes == 0 ? default : Allocate(bytes, fits);
        Buffer.MemoryCopy(block.Start, smaller.Start, bytes, bytes);
        charge.Set(Math.Max(0, smaller.Bytes - freeBytes));
        Free(block);
        block = smaller;
    }

    /// <summary>Gives a block's memory back.</summary>
    public void Free(ref NativeBlock block, ref MemoryCharge charge)
    {
        charge.Set(0); // Before it is charged as idle: nobody is to see it twice.
        Free(block);
        block = default;
    }

    /// <summary>Memory for at least so many bytes, which the caller charges.</summary>
    /// <inheritdoc cref="Resize"/>
    public NativeBlock Allocate(long bytes, bool fits = false)
        => bytes >= MappedMemory.PageBytes && TryTake(bytes, fits, out var block)
            ? block
            : new NativeBlock((byte*)NativeMemory.Alloc((nuint)bytes), bytes, isMapped: false);

    /// <summary>Memory for at least so many bytes that begins where a page of the kernel's does, for devices; the
    /// caller charges it.</summary>
    /// <inheritdoc cref="Resize"/>
    internal NativeBlock AllocateAligned(long bytes)
        => TryTake(bytes, fits: true, out var block)
            ? block
            : new NativeBlock( // The C library frees it as any other.
                (byte*)NativeMemory.AlignedAlloc((nuint)bytes, MappedMemory.PageBytes), bytes, isMapped: false);

    /// <summary>Gives memory back, which the caller charges no more.</summary>
    public void Free(in NativeBlock block)
    {
        if (!block.IsMapped)
        {
            FreeSmall(block);
        }
        else if (block.Bytes > MostIdleBytes
            || _budget.WouldExceed(block.Bytes - (_budget.LimitBytes / Limits.OverShare)))
        {
            Unmap(block);
        }
        else
        {
            Keep(block);
        }
    }

    /// <summary>Gives up what a block has behind its first bytes, if it is much.</summary>
    /// <param name="block">The block, which does not move.</param>
    /// <param name="charge">What it is charged as.</param>
    /// <param name="bytes">Bytes that are needed.</param>
    public void Cut(ref NativeBlock block, ref MemoryCharge charge, long bytes)
    {
        var kept = Whole(Math.Max(bytes, Limits.LeastMappedBufferBytes), block.Bytes);
        if (!block.IsMapped || kept + Limits.LeastMappedBufferBytes > block.Bytes)
        {
            return;
        }

        var rest = new NativeBlock(block.Start + kept, block.Bytes - kept, isMapped: true);
        charge.Set(Math.Max(0, charge.Bytes - rest.Bytes));
        block = new NativeBlock(block.Start, kept, isMapped: true);
        Interlocked.Increment(ref _mapped);
        Free(rest);
    }

    /// <summary>Rounds up to pages; where there may be huge ones, which are given back only as a whole, to those.
    /// </summary>
    private static long Whole(long bytes, long blockBytes)
    {
        var page = blockBytes < Limits.LeastHugeBufferBytes ? MappedMemory.PageBytes : HugePageBytes;
        return (bytes + page - 1) & -page;
    }

    private NativeBlock Grown(in NativeBlock block, long bytes, bool fits)
    {
        if (block.IsMapped)
        {
            return block.Bytes >= bytes ? block : MoreMapped(block, bytes, fits);
        }

        if (block.Bytes >= bytes)
        {
            return block;
        }

        if (bytes >= MappedMemory.PageBytes && TryTake(bytes, fits, out var larger))
        {
            Buffer.MemoryCopy(block.Start, larger.Start, block.Bytes, block.Bytes);
            FreeSmall(block);
            return larger;
        }

        if (IsPaged(block))
        {
            larger = new NativeBlock((byte*)NativeMemory.Alloc((nuint)bytes), bytes, isMapped: false);
            Buffer.MemoryCopy(block.Start, larger.Start, block.Bytes, block.Bytes);
            FreeSmall(block);
            return larger;
        }

        return new NativeBlock((byte*)NativeMemory.Realloc(block.Start, (nuint)bytes), bytes, isMapped: false);
    }

    private NativeBlock MoreMapped(in NativeBlock block, long bytes, bool fits)
    {
        // To copy what there is takes less than to have the kernel make what is missing, unless that is little.
        // One that has grown goes on growing, mostly.
        if (!fits && block.Bytes <= BytesAtOnce
            && TryTakeIdle(bytes, bytes * GrowthTaken, takesLargest: true, out var larger))
        {
            Buffer.MemoryCopy(block.Start, larger.Start, block.Bytes, block.Bytes);
            Free(block);
            return larger;
        }

        return TryRemap(block, bytes, out larger) ? larger : throw new InsufficientMemoryException();
    }

    /// <summary>Takes what is kept, or pages anew.</summary>
    private bool TryTake(long bytes, bool fits, out NativeBlock block)
    {
        if (bytes < Limits.LeastMappedBufferBytes)
        {
            return TryTakePaged(bytes, out block);
        }

        var most = fits ? bytes + (bytes / Limits.BufferSlackShare) : bytes * GrowthTaken;
        if (TryTakeIdle(bytes, most, takesLargest: false, out block))
        {
            return true;
        }

        if (TryTakeIdle(bytes / 2, bytes - 1, takesLargest: true, out var smaller))
        {
            if (TryRemap(smaller, bytes, out block))
            {
                return true;
            }

            Unmap(smaller);
        }

        return TryMap(bytes, out block);
    }

    private bool TryTakePaged(long bytes, out NativeBlock block)
    {
        var paged = _paged ?? MakePaged();
        if (_budget.IsFarOver)
        {
            ReleaseIdle(); // What is kept is of other sizes, mostly.
        }

        var start = paged.Take(bytes, out var wasIdle);
        block = start == null ? default : new NativeBlock(start, PagedBlocks.BytesFor(bytes), isMapped: false);
        if (wasIdle)
        {
            CountIdle(-block.Bytes);
        }

        return start != null;
    }

    private PagedBlocks MakePaged()
    {
        var made = new PagedBlocks();
        var first = Interlocked.CompareExchange(ref _paged, made, null);
        if (first != null)
        {
            made.Dispose();
        }

        return first ?? made;
    }

    private bool IsPaged(in NativeBlock block) => _paged?.Contains(block.Start) == true;

    /// <summary>Gives back a block that is not mapped. Where too much is kept, the mapped blocks go that have been idle
    /// for longest.</summary>
    private void FreeSmall(in NativeBlock block)
    {
        if (!IsPaged(block))
        {
            NativeMemory.Free(block.Start);
            return;
        }

        CountIdle(block.Bytes);
        var isKept = _paged!.IdleBytes + block.Bytes <= MostIdleBytes / Limits.IdlePagedShare
            && !_budget.WouldExceed(-_budget.LimitBytes / Limits.OverShare);
        while (isKept && IdleBytes > MostIdleBytes && TryTakeOldest(long.MaxValue, out var oldest))
        {
            Unmap(oldest);
        }

        if (!_paged.Return(block.Start, block.Bytes, isKept))
        {
            CountIdle(-block.Bytes);
        }
    }

    private bool ReleasePaged(bool isAll)
    {
        var bytes = _paged?.IdleBytes > 0 ? _paged.Release(isAll) : 0;
        CountIdle(-bytes);
        return bytes > 0;
    }

    private bool TryMap(long bytes, out NativeBlock block)
    {
        block = default;
        if (Interlocked.Increment(ref _mapped) <= Limits.MaxMappedBuffers)
        {
            var whole = Whole(bytes, bytes);
            BeginTaking(whole);
            var address = Libc.Mmap(0, (nuint)whole, Libc.ProtRead | Libc.ProtWrite,
                Libc.MapPrivate | Libc.MapAnonymous | Libc.MapNoReserve, -1, 0);
            if (address != -1)
            {
                block = new NativeBlock((byte*)address, whole, isMapped: true);
                if (UsesHugePages && whole >= Limits.LeastHugeBufferBytes)
                {
                    _ = Libc.Madvise(address, (nuint)whole, Libc.MadviseHugePage);
                }

                Populate(block, 0);
            }

            _budget.Charge(-whole);
            if (address != -1)
            {
                return true;
            }
        }

        Interlocked.Decrement(ref _mapped);
        return false;
    }

    private bool TryRemap(in NativeBlock block, long bytes, out NativeBlock larger)
    {
        var whole = Whole(bytes, bytes);
        BeginTaking(whole - block.Bytes);
        var address = Libc.Mremap((nint)block.Start, (nuint)block.Bytes, (nuint)whole, Libc.MremapMayMove, 0);
        larger = address == -1 ? default : new NativeBlock((byte*)address, whole, isMapped: true);
        if (address != -1)
        {
            Populate(larger, block.Bytes);
        }

        _budget.Charge(block.Bytes - whole);
        return address != -1;
    }

    /// <summary>Has the first of the new pages made in one call of the kernel; where it does not know how, they are
    /// made one by one, as the others are.</summary>
    private static void Populate(in NativeBlock block, long from)
        => _ = Libc.Madvise(
            (nint)(block.Start + from), (nuint)Math.Min(BytesAtOnce, block.Bytes - from), Libc.MadvisePopulateWrite);

    /// <summary>Charges what the system is asked for, until the caller does: it takes a while, in which others ask.
    /// What is kept goes first where there is no room for it.</summary>
    private void BeginTaking(long bytes)
    {
        _budget.Charge(bytes);
        if (_budget.IsOver)
        {
            ReleaseIdle();
        }
    }

    private void Unmap(in NativeBlock block)
    {
        _ = Libc.Munmap((nint)block.Start, (nuint)block.Bytes);
        Interlocked.Decrement(ref _mapped);
    }

    /// <summary>Keeps a block, in place of those that have been idle for longest.</summary>
    private void Keep(in NativeBlock block)
    {
        CountIdle(block.Bytes);
        while (IdleBytes > MostIdleBytes && TryTakeOldest(long.MaxValue, out var oldest))
        {
            Unmap(oldest);
        }

        if (IdleBytes > MostIdleBytes || !TryPut(block))
        {
            CountIdle(-block.Bytes);
            Unmap(block);
        }
    }

    private bool TryPut(in NativeBlock block)
    {
        foreach (ref var slot in _idle.AsSpan())
        {
            if (Volatile.Read(ref slot.Start) == IdleSlot.Empty
                && Interlocked.CompareExchange(ref slot.Start, IdleSlot.Busy, IdleSlot.Empty) == IdleSlot.Empty)
            {
                slot.Bytes = block.Bytes;
                slot.SinceMs = Volatile.Read(ref _nowMs);
                Volatile.Write(ref slot.Start, (nint)block.Start);
                return true;
            }
        }

        return false;
    }

    /// <summary>Takes one of those that are neither smaller nor larger than is said: the smallest or the largest.
    /// </summary>
    private bool TryTakeIdle(long least, long most, bool takesLargest, out NativeBlock block)
    {
        block = default;
        if (IdleBytes < least)
        {
            return false;
        }

        var (best, bestBytes) = (-1, 0L);
        for (var i = 0; i < _idle.Length; i++)
        {
            var bytes = _idle[i].BytesIfThere;
            if (bytes >= least && bytes <= most && (best < 0 || (takesLargest ? bytes > bestBytes : bytes < bestBytes)))
            {
                (best, bestBytes) = (i, bytes);
            }
        }

        return best >= 0 && TryTake(ref _idle[best], least, most, out block);
    }

    private bool TryTakeOldest(long untilMs, out NativeBlock block)
    {
        var oldest = -1;
        for (var i = 0; i < _idle.Length; i++)
        {
            if (_idle[i].BytesIfThere > 0 && _idle[i].SinceMs <= untilMs)
            {
                (oldest, untilMs) = (i, _idle[i].SinceMs);
            }
        }

        block = default;
        return oldest >= 0 && TryTake(ref _idle[oldest], 0, long.MaxValue, out block);
    }

    /// <summary>Takes what lies in a slot, unless another thread was faster.</summary>
    private bool TryTake(ref IdleSlot slot, long least, long most, out NativeBlock block)
    {
        block = default;
        var start = Volatile.Read(ref slot.Start);
        if (start is IdleSlot.Empty or IdleSlot.Busy
            || Interlocked.CompareExchange(ref slot.Start, IdleSlot.Busy, start) != start)
        {
            return false;
        }

        if (slot.Bytes < least || slot.Bytes > most)
        {
            Volatile.Write(ref slot.Start, start); // Another one has come to lie there.
            return false;
        }

        block = new NativeBlock((byte*)start, slot.Bytes, isMapped: true);
        Volatile.Write(ref slot.Start, IdleSlot.Empty);
        CountIdle(-block.Bytes);
        return true;
    }

    /// <summary>Gives back to the system what has been idle since before a time.</summary>
    private bool Release(long untilMs)
    {
        var wasAny = false;
        while (TryTakeOldest(untilMs, out var block))
        {
            Unmap(block);
            wasAny = true;
        }

        return wasAny;
    }

    private void CountIdle(long bytes)
    {
        _budget.Charge(bytes);
        Interlocked.Add(ref _idleBytes, bytes);
    }
}
