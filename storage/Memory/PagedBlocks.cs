namespace Strata.Storage.Memory;

/// <summary>
/// Blocks of 1 to 32 of the kernel's pages, for all threads. Those of one size class lie side by side in a reserved
/// range that is theirs for good (segregated storage; Wilson et al., IWMM '95): so the pages of each can go back to the
/// system whatever lies beside it, which a heap that shares its pages among blocks of all sizes cannot promise. Free
/// ones keep their pages for a while, for the next who asks.
/// </summary>
internal sealed unsafe class PagedBlocks : IDisposable
{
    /// <summary>Bytes of the largest block.</summary>
    public const int MostBytes = MostPages * MappedMemory.PageBytes;

    private const int MostPages = 32;
    private const long StretchBytes = 2 << 20;
    private const int ReleasedAtOnce = 64;

    // Up to eight pages each number has a class, then an eighth of the next power of two is wasted at most, or a page.
    private static readonly int[] s_pagesOfClass = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32];
    private static readonly byte[] s_classOfPages = MakeClassOfPages();

    private readonly SizeClass[] _classes = new SizeClass[s_pagesOfClass.Length];
    private readonly ReservedRegion? _region;
    private long _reservedBytes;
    private long _idleBytes;

    /// <summary>No blocks. Where the system gives no address space, there never are any.</summary>
    public PagedBlocks()
    {
        _region = ReservedRegion.TryReserve(Limits.BufferReserveBytes);
        _region?.AdviseHugePages(0, _region.Bytes, uses: false); // One would stay for the sake of any block in it.
        for (var i = 0; i < _classes.Length; i++)
        {
            _classes[i] = new SizeClass(s_pagesOfClass[i] * MappedMemory.PageBytes);
        }
    }

    /// <summary>Bytes of free blocks that have kept their pages.</summary>
    public long IdleBytes => Volatile.Read(ref _idleBytes);

    /// <summary>What a block for so many bytes, <see cref="MostBytes"/> at most, has.</summary>
    public static int BytesFor(long bytes) => s_pagesOfClass[ClassOf(bytes)] * MappedMemory.PageBytes;

    /// <summary>Whether memory is one of the blocks'.</summary>
    public bool Contains(byte* start)
        => _region != null && start >= _region.Base && start < _region.Base + _region.Bytes;

    /// <summary>Gives the range back, of which no block may be in use.</summary>
    public void Dispose() => _region?.Dispose();

    /// <summary>Takes a block.</summary>
    /// <param name="bytes">At least so many, at most <see cref="MostBytes"/>.</param>
    /// <param name="wasIdle">Whether it was one of those that <see cref="IdleBytes"/> counts.</param>
    /// <returns>Null when the range is used up, or another thread is at this size for longer than can be waited.
    /// </returns>
    public byte* Take(long bytes, out bool wasIdle)
    {
        var from = _classes[ClassOf(bytes)];
        wasIdle = false;
        if (!from.TryEnter())
        {
            return null;
        }

        var block = from.TakeIdle();
        wasIdle = block != null;
        if (block == null)
        {
            block = from.Released.Count > 0 ? (byte*)from.Released.Pop() : TakeFresh(from);
        }

        from.Leave();
        _ = wasIdle ? Interlocked.Add(ref _idleBytes, -from.Bytes) : 0;
        return block;
    }

    /// <summary>Gives a block back.</summary>
    /// <param name="start">Its first byte.</param>
    /// <param name="bytes">All of its bytes.</param>
    /// <param name="isKept">Whether it is to keep its pages.</param>
    /// <returns>Whether it has kept them.</returns>
    public bool Return(byte* start, long bytes, bool isKept)
    {
        var to = _classes[ClassOf(bytes)];
        if (!isKept)
        {
            ReservedRegion.ReleasePages(start, bytes);
            if (to.TryEnter())
            {
                to.Released.Push((nint)start);
                to.Leave();
                return false;
            }
        }

        to.Keep(start);
        _ = Interlocked.Add(ref _idleBytes, bytes);
        return true;
    }

    /// <summary>Gives the pages of all free blocks back to the system, or of those alone that nobody has needed since
    /// the last time; where another thread is at a size, later.</summary>
    /// <returns>Bytes given back.</returns>
    public long Release(bool isAll)
    {
        var bytes = 0L;
        foreach (var from in _classes)
        {
            bytes += (long)Release(from, isAll) * from.Bytes;
        }

        _ = Interlocked.Add(ref _idleBytes, -bytes);
        return bytes;
    }

    /// <summary>Gives pages of one size back, some at a time: others need not wait for the kernel.</summary>
    /// <returns>Of how many blocks.</returns>
    private static int Release(SizeClass from, bool isAll)
    {
        var blocks = stackalloc nint[ReleasedAtOnce];
        var released = 0;
        for (var most = int.MaxValue; released < most && from.TryEnter();)
        {
            most = released == 0 ? from.IdleFor(isAll) : most;
            var count = Math.Min(Math.Min(most - released, from.Idle.Count), ReleasedAtOnce);
            from.Idle.TakeFirst(blocks, count);
            from.Leave();
            for (var i = 0; i < count; i++)
            {
                ReservedRegion.ReleasePages((byte*)blocks[i], from.Bytes);
            }

            if (count == 0 || !from.TryAddReleased(blocks, count))
            {
                break;
            }

            released += count;
        }

        return released;
    }

    private static byte[] MakeClassOfPages()
    {
        var classes = new byte[MostPages + 1];
        for (var pages = 1; pages <= MostPages; pages++)
        {
            classes[pages] = (byte)Array.FindIndex(s_pagesOfClass, most => pages <= most);
        }

        return classes;
    }

    private static int ClassOf(long bytes)
        => s_classOfPages[(bytes + MappedMemory.PageBytes - 1) / MappedMemory.PageBytes];

    /// <summary>A block that nobody has had. Under the lock.</summary>
    private byte* TakeFresh(SizeClass to)
    {
        if (to.FreshEnd - to.Fresh < to.Bytes)
        {
            var end = _region == null ? long.MaxValue : Interlocked.Add(ref _reservedBytes, StretchBytes);
            if (_region == null || end > _region.Bytes)
            {
                return null;
            }

            // To give a block back takes no memory.
            to.Reserve((int)(StretchBytes / to.Bytes));
            to.Fresh = _region.Base + end - StretchBytes;
            to.FreshEnd = to.Fresh + StretchBytes;
        }

        var block = to.Fresh;
        to.Fresh += to.Bytes;
        return block;
    }

    /// <summary>The free blocks of one size. One thread at a time is at them, for some tens of nanoseconds; who finds
    /// another one there for longer does without.</summary>
    private sealed class SizeClass(int bytes)
    {
        public readonly int Bytes = bytes;

        /// <summary>With their pages, the one used last on top.</summary>
        public BlockStack Idle;

        /// <summary>Without.</summary>
        public BlockStack Released;

        public byte* Fresh;
        public byte* FreshEnd;

        // Those that were given back while another thread was here, linked by their first words.
        private nint _returned;
        private int _entered;
        private int _made;

        // The fewest that were idle since the last release: so many of the lowest were not needed.
        private int _leastIdle;

        public bool TryEnter()
        {
            for (var i = 0; i < Limits.LeaseSpins; i++)
            {
                if (Volatile.Read(ref _entered) == 0 && Interlocked.CompareExchange(ref _entered, 1, 0) == 0)
                {
                    return true;
                }

                Thread.SpinWait(1);
            }

            return false;
        }

        public void Leave() => Volatile.Write(ref _entered, 0);

        public byte* TakeIdle()
        {
            TakeReturned();
            if (Idle.Count == 0)
            {
                _leastIdle = 0;
                return null;
            }

            var block = (byte*)Idle.Pop();
            _leastIdle = Math.Min(_leastIdle, Idle.Count);
            return block;
        }

        /// <summary>How many are to be released.</summary>
        public int IdleFor(bool isAll)
        {
            TakeReturned();
            var count = isAll ? Idle.Count : Math.Min(_leastIdle, Idle.Count);
            _leastIdle = Idle.Count - count;
            return count;
        }

        /// <summary>Keeps a block; whether or not another thread is here.</summary>
        public void Keep(byte* block)
        {
            if (TryEnter())
            {
                Idle.Push((nint)block);
                Leave();
                return;
            }

            Link(ref _returned, block);
        }

        /// <summary>Adds what was released; where another thread is here, as if it were idle.</summary>
        public bool TryAddReleased(nint* blocks, int count)
        {
            if (!TryEnter())
            {
                for (var i = 0; i < count; i++)
                {
                    Link(ref _returned, (byte*)blocks[i]);
                }

                return false;
            }

            for (var i = 0; i < count; i++)
            {
                Released.Push(blocks[i]);
            }

            Leave();
            return true;
        }

        public void Reserve(int blocks)
        {
            _made += blocks;
            Idle.Reserve(_made);
            Released.Reserve(_made);
        }

        private static void Link(ref nint first, byte* block)
        {
            nint next;
            do
            {
                next = Volatile.Read(ref first);
                *(nint*)block = next;
            }
            while (Interlocked.CompareExchange(ref first, (nint)block, next) != next);
        }

        private void TakeReturned()
        {
            if (Volatile.Read(ref _returned) == 0)
            {
                return;
            }

            for (var block = Interlocked.Exchange(ref _returned, 0); block != 0;)
            {
                var next = *(nint*)block;
                Idle.Push(block);
                block = next;
            }
        }
    }

    /// <summary>A stack whose memory is there before something is pushed.</summary>
    private struct BlockStack
    {
        private nint[] _items;

        public int Count { get; private set; }

        public void Reserve(int capacity)
        {
            var length = _items?.Length ?? 0;
            if (length < capacity)
            {
                Array.Resize(ref _items, (int)Math.Max(capacity, Math.Min(length * 2L, Array.MaxLength)));
            }
        }

        public void Push(nint item) => _items[Count++] = item;

        public nint Pop() => _items[--Count];

        public void TakeFirst(nint* items, int count)
        {
            if (count > 0)
            {
                _items.AsSpan(0, count).CopyTo(new Span<nint>(items, count));
                Count -= count;
                Array.Copy(_items, count, _items, 0, Count);
            }
        }
    }
}
