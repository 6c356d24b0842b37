namespace Strata.Storage.Memory;

/// <summary>The part of a <see cref="StripedRegion"/> that one owner has.</summary>
public readonly unsafe struct Stripes
{
    private readonly long _offset;

    internal Stripes(StripedRegion region, int owner)
    {
        Region = region;
        _offset = (long)owner << region.StripeBits;
        Base = region.Region.Base + _offset;
    }

    public StripedRegion Region { get; }

    /// <summary>The first byte of the first stripe.</summary>
    public byte* Base { get; }

    /// <summary>The first byte of a stripe.</summary>
    public byte* At(long stripe) => Base + (stripe << Region.StrideBits);

    /// <summary>Gives the physical memory of whole 4 KiB pages inside a stripe, or behind it where there is one owner
    /// only, back to the system.</summary>
    public void Release(long stripe, long offset, long bytes)
        => Region.Region.Release(OffsetOf(stripe) + offset, bytes);

    /// <inheritdoc cref="ReservedRegion.Renew"/>
    public void Renew(long stripe, long bytes)
        => ReservedRegion.Renew(At(stripe), (bytes + MappedMemory.PageBytes - 1) & -MappedMemory.PageBytes);

    /// <summary>A stripe is going to be used.</summary>
    public void Take(long stripe) => Region.Take(OffsetOf(stripe));

    /// <summary>A stripe is used no more.</summary>
    public void Return(long stripe) => Region.Return(OffsetOf(stripe));

    /// <summary>Asks the kernel to back a stripe with a part of a huge page, if that is of use, or not to.</summary>
    public void AdviseHugePages(long stripe, bool uses) => Region.AdviseHugePages(OffsetOf(stripe), uses);

    private long OffsetOf(long stripe) => _offset + (stripe << Region.StrideBits);
}
