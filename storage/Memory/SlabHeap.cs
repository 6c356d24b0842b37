using System.Runtime.InteropServices;

namespace Strata.Storage.Memory;

/// <summary>
/// Blocks of native memory for what does not fit into records: the parts of large collections. Blocks of one size class
/// share slabs of 32 KiB, one stripe each (slab allocation; Bonwick, USENIX '94); larger blocks come from the system.
/// Single-threaded: it belongs to a shard, under whose lease it is used and read.
/// Slabs and large blocks are charged to the budget as a whole.
/// </summary>
public sealed unsafe class SlabHeap : IDisposable
{
    /// <summary>Bytes of a slab as a power of two.</summary>
    internal const int SlabBits = 15;

    private const int SlabBytes = 1 << SlabBits;
    private const int HeaderBytes = 64;

    /// <summary>Bytes of a block that has a slab for itself.</summary>
    public const int WholeSlab = SlabBytes - HeaderBytes;

    // Up to here classes are 8 bytes apart, then an eighth of a power of two.
    private const int FineBytes = 128;
    private const int FineClasses = FineBytes / 8;
    private const int StepsPerDoubling = 8;

    private static readonly int[] s_classBytes = MakeClasses();

    private readonly MemoryBudget _budget;
    private readonly Stripes _stripes;
    private readonly FrameAllocator _frames;

    // Of each class, the slabs that have a free block.
    private readonly Slab*[] _partial = new Slab*[s_classBytes.Length];
    private Slab* _slabs;
    private LargeBlock* _largeBlocks;

    // What was given up as a whole and goes back to the system step by step.
    private Slab* _retiredSlabs;
    private LargeBlock* _retiredBlocks;

    /// <summary>An empty heap whose slabs are stripes of 2^<see cref="SlabBits"/> bytes.</summary>
    public SlabHeap(MemoryBudget budget, Stripes stripes)
    {
        Invariant.Check(stripes.Region.StripeBits == SlabBits, "a stripe is a slab");
        _budget = budget;
        _stripes = stripes;
        _frames = new FrameAllocator(budget, stripes);
    }

    /// <summary>The largest block that shares a slab; a multiple of it wastes least.</summary>
    public static int LargestShared => s_classBytes[^2];

    /// <summary>Bytes of blocks in use, rounded up to their classes.</summary>
    public long UsedBytes { get; private set; }

    /// <summary>Bytes charged to the budget, retired ones included.</summary>
    public long SizeBytes { get; private set; }

    /// <summary>Memory of an emptied slab that is kept for reuse; it is charged, too.</summary>
    public long FreeSlabBytes => _frames.ResidentFreeBytes;

    /// <summary>Bytes given up by <see cref="Clear"/> and not yet back with the system.</summary>
    public long RetiredBytes { get; private set; }

    /// <summary>The bytes a block of <paramref name="bytes"/> takes.</summary>
    public static int SizeOf(int bytes) => IsInSlab(bytes) ? s_classBytes[ClassOf(bytes)] : LargeBytes(bytes);

    /// <summary>The size to ask for where <paramref name="bytes"/> are needed and more are welcome: all of the block of
    /// their class, or the slab that they nearly fill.</summary>
    public static int UsableBytes(int bytes)
        => IsInSlab(bytes) ? s_classBytes[ClassOf(bytes)]
            : bytes is > WholeSlab / 8 * 7 and < WholeSlab ? WholeSlab
            : bytes;

    /// <summary>A block of at least <paramref name="bytes"/>, 8-byte aligned, holding anything.</summary>
    /// <exception cref="MemoryExhaustedException">Address space or memory is not to be had; nothing was changed.
    /// </exception>
    public byte* Allocate(int bytes)
    {
        if (!IsInSlab(bytes))
        {
            return AllocateLarge(bytes);
        }

        var sizeClass = ClassOf(bytes);
        var slab = _partial[sizeClass];
        if (slab == null)
        {
            slab = AddSlab(sizeClass);
        }

        var size = s_classBytes[sizeClass];
        UsedBytes += size;
        slab->Used++;
        var block = slab->Free;
        if (block != null)
        {
            slab->Free = *(byte**)block;
        }
        else
        {
            block = (byte*)slab + slab->Fresh;
            slab->Fresh += size;
        }

        if (slab->Free == null && slab->Fresh + size > SlabBytes)
        {
            Unlink(slab);
        }

        return block;
    }

    /// <summary>Gives a block back that was allocated with the same <paramref name="bytes"/>.</summary>
    public void Free(byte* block, int bytes)
    {
        if (!IsInSlab(bytes))
        {
            FreeLarge((LargeBlock*)block - 1);
            return;
        }

        var slab = (Slab*)((nint)block & ~(nint)(SlabBytes - 1));
        var size = s_classBytes[slab->Class];
        UsedBytes -= size;
        if (slab->Free == null && slab->Fresh + size > SlabBytes)
        {
            Link(slab);
        }

        *(byte**)block = slab->Free;
        slab->Free = block;
        if (--slab->Used == 0)
        {
            Unlink(slab);
            RemoveSlab(slab);
        }
    }

    /// <summary>Gives up all blocks. Their memory goes back to the system by <see cref="TryRelease"/>.</summary>
    public void Clear()
    {
        var retired = SizeBytes - RetiredBytes;
        _retiredSlabs = Join(_slabs, _retiredSlabs);
        _retiredBlocks = Join(_largeBlocks, _retiredBlocks);
        _slabs = null;
        _largeBlocks = null;
        Array.Clear(_partial);
        UsedBytes = 0;
        RetiredBytes += retired;
        _budget.Retire(retired);
    }

    /// <summary>Gives the memory of one retired slab or block back to the system.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryRelease()
    {
        long bytes;
        if (_retiredSlabs != null)
        {
            var slab = _retiredSlabs;
            _retiredSlabs = slab->Next;
            bytes = SlabBytes;
            _frames.ReturnRun(FrameOf(slab), SlabBytes);
        }
        else if (_retiredBlocks != null)
        {
            var block = _retiredBlocks;
            _retiredBlocks = block->Next;
            bytes = block->Bytes;
            _budget.Charge(-bytes);
            NativeMemory.Free(block);
        }
        else
        {
            return false;
        }

        SizeBytes -= bytes;
        RetiredBytes -= bytes;
        _budget.Retire(-bytes);
        return true;
    }

    /// <summary>Gives the memory of an emptied slab that is kept for reuse back to the system.</summary>
    /// <returns>False when none is kept.</returns>
    public bool TryTrim() => _frames.TryTrim();

    /// <inheritdoc/>
    public void Dispose()
    {
        Clear();
        while (_retiredBlocks != null)
        {
            var next = _retiredBlocks->Next;
            NativeMemory.Free(_retiredBlocks);
            _retiredBlocks = next;
        }

        _budget.Retire(-RetiredBytes);
        _budget.Charge(-(SizeBytes + FreeSlabBytes));
    }

    private static int[] MakeClasses()
    {
        var classes = new List<int>();
        for (var bytes = 8; bytes <= FineBytes; bytes += 8)
        {
            classes.Add(bytes);
        }

        // Up to where a slab holds a few; beyond, what is left over at its end is shared out among its blocks.
        for (var doubling = FineBytes; doubling < SlabBytes / 16; doubling *= 2)
        {
            for (var step = 1; step <= StepsPerDoubling; step++)
            {
                classes.Add(doubling + (doubling / StepsPerDoubling * step));
            }
        }

        for (var blocks = 12; blocks >= 3; blocks--)
        {
            classes.Add(WholeSlab / blocks & ~7);
        }

        classes.Add(WholeSlab);
        return [.. classes];
    }

    private static int ClassOf(int bytes)
    {
        if (bytes <= FineBytes)
        {
            return Math.Max(0, (bytes - 1) >> 3);
        }

        var last = bytes - 1;
        var log = int.Log2(last);
        var index = FineClasses + ((log - 7) * StepsPerDoubling) + ((last >> (log - 3)) & (StepsPerDoubling - 1));
        if (index >= s_classBytes.Length || bytes > SlabBytes / 16)
        {
            index = s_classBytes.Length - 1;
        }

        while (index > 0 && s_classBytes[index - 1] >= bytes)
        {
            index--;
        }

        return index;
    }

    private static bool IsInSlab(int bytes) => bytes <= LargestShared || bytes == WholeSlab;

    private static int LargeBytes(int bytes) => checked(bytes + sizeof(LargeBlock));

    private static Slab* Join(Slab* first, Slab* second)
    {
        if (first == null)
        {
            return second;
        }

        var last = first;
        while (last->Next != null)
        {
            last = last->Next;
        }

        last->Next = second;
        return first;
    }

    private static LargeBlock* Join(LargeBlock* first, LargeBlock* second)
    {
        if (first == null)
        {
            return second;
        }

        var last = first;
        while (last->Next != null)
        {
            last = last->Next;
        }

        last->Next = second;
        return first;
    }

    private int FrameOf(Slab* slab) => (int)(((byte*)slab - _stripes.Base) >> _stripes.Region.StrideBits);

    private Slab* AddSlab(int sizeClass)
    {
        var slab = (Slab*)_frames.Address(_frames.Rent(SlabBytes));
        *slab = new Slab { Class = sizeClass, Fresh = HeaderBytes, Next = _slabs };
        if (_slabs != null)
        {
            _slabs->Previous = slab;
        }

        _slabs = slab;
        SizeBytes += SlabBytes;
        Link(slab);
        return slab;
    }

    private void RemoveSlab(Slab* slab)
    {
        if (slab->Previous == null)
        {
            _slabs = slab->Next;
        }
        else
        {
            slab->Previous->Next = slab->Next;
        }

        if (slab->Next != null)
        {
            slab->Next->Previous = slab->Previous;
        }

        SizeBytes -= SlabBytes;
        _frames.Return(FrameOf(slab), SlabBytes);
    }

    private void Link(Slab* slab)
    {
        var next = _partial[slab->Class];
        slab->NextPartial = next;
        slab->PreviousPartial = null;
        if (next != null)
        {
            next->PreviousPartial = slab;
        }

        _partial[slab->Class] = slab;
    }

    private void Unlink(Slab* slab)
    {
        if (slab->PreviousPartial == null)
        {
            _partial[slab->Class] = slab->NextPartial;
        }
        else
        {
            slab->PreviousPartial->NextPartial = slab->NextPartial;
        }

        if (slab->NextPartial != null)
        {
            slab->NextPartial->PreviousPartial = slab->PreviousPartial;
        }
    }

    private byte* AllocateLarge(int bytes)
    {
        var size = LargeBytes(bytes);
        LargeBlock* block;
        _budget.Ask(size);
        try
        {
            block = (LargeBlock*)NativeMemory.Alloc((nuint)size);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no {size} bytes of memory", exception);
        }

        *block = new LargeBlock { Bytes = size, Next = _largeBlocks };
        if (_largeBlocks != null)
        {
            _largeBlocks->Previous = block;
        }

        _largeBlocks = block;
        UsedBytes += size;
        SizeBytes += size;
        _budget.Charge(size);
        return (byte*)(block + 1);
    }

    private void FreeLarge(LargeBlock* block)
    {
        if (block->Previous == null)
        {
            _largeBlocks = block->Next;
        }
        else
        {
            block->Previous->Next = block->Next;
        }

        if (block->Next != null)
        {
            block->Next->Previous = block->Previous;
        }

        UsedBytes -= block->Bytes;
        SizeBytes -= block->Bytes;
        _budget.Charge(-block->Bytes);
        NativeMemory.Free(block);
    }

    /// <summary>At the start of each slab.</summary>
    private struct Slab
    {
        public Slab* Next;
        public Slab* Previous;
        public Slab* NextPartial;
        public Slab* PreviousPartial;

        /// <summary>The first of the blocks given back, each of which begins with the address of the next.</summary>
        public byte* Free;

        /// <summary>Where the blocks begin that were never used.</summary>
        public int Fresh;
        public int Used;
        public int Class;
    }

    /// <summary>In front of each block that shares no slab.</summary>
    private struct LargeBlock
    {
        public LargeBlock* Next;
        public LargeBlock* Previous;
        public long Bytes;
    }
}
