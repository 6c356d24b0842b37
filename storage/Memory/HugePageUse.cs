namespace Strata.Storage.Memory;

/// <summary>
/// Which huge pages of a striped region are worth having. A kernel that backs a place with a huge page makes memory of
/// all the stripes in it, also of those that nobody uses: of owners that are behind the others, as a shard is whose
/// memory is in large collections. So a place begins without one, unless the owners have filled what lies before, and
/// gets one when all its stripes are in use. Any owner's thread.
/// </summary>
internal sealed unsafe class HugePageUse : IDisposable
{
    // Owners that grow alike are apart by a few stripes.
    private const int RowsBehind = 2;

    // Set in a place's number of stripes in use while the kernel is told to leave it without a huge page.
    private const int Sparse = 1 << 30;

    private readonly ReservedRegion _region;
    private readonly ReservedRegion _places;
    private readonly long _firstPlace;
    private readonly long _behind;
    private readonly int _stripesPerPlace;
    private long _top;
    private int _sparsePlaces;

    /// <summary>Nothing is in use.</summary>
    /// <param name="region">The region.</param>
    /// <param name="rowBytes">Bytes of a stripe of each owner, or of a huge page, if that is more; the first have none.
    /// </param>
    /// <param name="stripeBits">Bytes of a stripe as a power of two; at most a huge page's.</param>
    /// <exception cref="MemoryExhaustedException">The kernel refused.</exception>
    public HugePageUse(ReservedRegion region, long rowBytes, int stripeBits)
    {
        _region = region;
        _places = new ReservedRegion(Math.Max(1, region.Bytes / ReservedRegion.HugePageBytes) * sizeof(int));
        _firstPlace = rowBytes / ReservedRegion.HugePageBytes;
        _behind = RowsBehind * _firstPlace;
        _stripesPerPlace = ReservedRegion.HugePageBytes >> stripeBits;
    }

    /// <summary>The kernel has been told anew, of the whole region, whether to use huge pages.</summary>
    public void Renew(bool isActive)
    {
        for (var place = _firstPlace; place <= Volatile.Read(ref _top); place++)
        {
            if ((Interlocked.And(ref At(place), ~Sparse) & Sparse) != 0)
            {
                Interlocked.Decrement(ref _sparsePlaces);
            }

            if (isActive && !IsFull(place) && Volatile.Read(ref At(place)) > 0)
            {
                Thin(place);
            }
        }
    }

    /// <summary>A stripe is going to be used.</summary>
    /// <param name="offset">Where it lies in the region.</param>
    /// <param name="isActive">Whether the kernel is asked for huge pages at all.</param>
    public void Take(long offset, bool isActive)
    {
        var place = offset / ReservedRegion.HugePageBytes;
        var inUse = Interlocked.Increment(ref At(place)) & ~Sparse;
        NoteTop(place);
        if (!isActive || place < _firstPlace)
        {
            return;
        }

        if (inUse == _stripesPerPlace || (inUse == 1 && IsFull(place - _behind)))
        {
            Fill(place);
        }
        else if (inUse == 1)
        {
            Thin(place);
        }
    }

    /// <summary>A stripe is used no more.</summary>
    public void Return(long offset) => Interlocked.Decrement(ref At(offset / ReservedRegion.HugePageBytes));

    /// <summary>Whether a stripe's place is to have no huge page.</summary>
    public bool IsSparse(long offset)
        => (Volatile.Read(ref At(offset / ReservedRegion.HugePageBytes)) & Sparse) != 0;

    /// <inheritdoc/>
    public void Dispose() => _places.Dispose();

    private void NoteTop(long place)
    {
        var top = Volatile.Read(ref _top);
        while (place > top)
        {
            top = Interlocked.CompareExchange(ref _top, place, top);
        }
    }

    private bool IsFull(long place)
        => place < 0 || (Volatile.Read(ref At(place)) & ~Sparse) == _stripesPerPlace;

    private void Thin(long place)
    {
        // Each splits a mapping, of which a process has not many.
        if (Volatile.Read(ref _sparsePlaces) < Limits.MaxHugePageHoles
            && (Interlocked.Or(ref At(place), Sparse) & Sparse) == 0)
        {
            Interlocked.Increment(ref _sparsePlaces);
            Advise(place, uses: false);
        }
    }

    private void Fill(long place)
    {
        if ((Interlocked.And(ref At(place), ~Sparse) & Sparse) != 0)
        {
            Interlocked.Decrement(ref _sparsePlaces);
            Advise(place, uses: true);
        }
    }

    private void Advise(long place, bool uses)
        => _region.AdviseHugePages(
            place * ReservedRegion.HugePageBytes, ReservedRegion.HugePageBytes, uses);

    private ref int At(long place) => ref ((int*)_places.Base)[place];
}
