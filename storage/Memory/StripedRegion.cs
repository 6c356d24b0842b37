using System.Numerics;

namespace Strata.Storage.Memory;

/// <summary>
/// A reserved region dealt out to several owners in stripes: stripe n of owner i is the (n × owners + i)-th. Owners
/// that grow alike, as shards do, fill the region from its start without gaps, so that huge pages, which are larger
/// than what one owner needs next, waste little; and a look-up in what is large meets no miss of the TLB.
/// </summary>
public sealed class StripedRegion : IDisposable
{
    private readonly ReservedRegion _region;
    private readonly bool _mayUseHugePages;
    private readonly HugePageUse? _use;
    private int _usesHugePages = -1;

    /// <summary>Reserves <paramref name="bytes"/> for <paramref name="owners"/> (a power of two) together, in stripes
    /// of 2^<paramref name="stripeBits"/> bytes. Without <paramref name="mayUseHugePages"/> it never has any.</summary>
    /// <exception cref="MemoryExhaustedException">The kernel refused.</exception>
    public StripedRegion(long bytes, int owners, int stripeBits, bool mayUseHugePages = true)
    {
        Invariant.Check(BitOperations.IsPow2(owners), "stripes are found by shifting");
        _region = new ReservedRegion(bytes);
        _mayUseHugePages = mayUseHugePages;
        Owners = owners;
        StripeBits = stripeBits;
        StrideBits = stripeBits + BitOperations.Log2((uint)owners);
        _use = mayUseHugePages && 1 << stripeBits < ReservedRegion.HugePageBytes
            ? new HugePageUse(_region, RowBytes, stripeBits)
            : null;
    }

    public int Owners { get; }

    /// <summary>Bytes of a stripe as a power of two.</summary>
    public int StripeBits { get; }

    /// <summary>Bytes from one stripe of an owner to its next as a power of two.</summary>
    public int StrideBits { get; }

    /// <summary>Stripes of each owner.</summary>
    public long StripesPerOwner => _region.Bytes >> StrideBits;

    internal ReservedRegion Region => _region;

    // A stripe of each owner, or as many as fill a huge page.
    private long RowBytes => Math.Max(ReservedRegion.HugePageBytes, 1L << StrideBits);

    /// <summary>The stripes of one owner.</summary>
    public Stripes Of(int owner) => new(this, owner);

    /// <summary>Whether the kernel is asked for huge pages.</summary>
    public bool UsesHugePages => Volatile.Read(ref _usesHugePages) == 1;

    /// <summary>Asks the kernel to back what is touched from now on with huge pages, or with none: where stripes are
    /// used in part, a huge page would make memory of what is not. So the first stripes of all owners, which hold
    /// little data or begin to be filled, have none. Any owner may ask.</summary>
    public void UseHugePages(bool wanted)
    {
        var uses = wanted && _mayUseHugePages;
        if (Interlocked.Exchange(ref _usesHugePages, uses ? 1 : 0) != (uses ? 1 : 0))
        {
            var first = Math.Min(RowBytes, _region.Bytes);
            _region.AdviseHugePages(0, first, uses: false);
            _region.AdviseHugePages(first, _region.Bytes - first, uses);
            _use?.Renew(uses);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _use?.Dispose();
        _region.Dispose();
    }

    /// <summary>A stripe is going to be used by its owner, who tells of each.</summary>
    internal void Take(long offset) => _use?.Take(offset, UsesHugePages);

    /// <summary>It is used no more.</summary>
    internal void Return(long offset) => _use?.Return(offset);

    /// <summary>Asks the kernel to back one stripe with a part of a huge page, if its neighbours are in use, or not to.
    /// </summary>
    internal void AdviseHugePages(long offset, bool uses)
        => _region.AdviseHugePages(
            offset, 1L << StripeBits, uses && UsesHugePages && _use?.IsSparse(offset) != true);
}
