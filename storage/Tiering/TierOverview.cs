namespace Strata.Storage.Tiering;

/// <summary>What the tier holds and has done, added up over shards and workers; any thread may take it, without
/// leases, so that its parts need not be of one moment.</summary>
public sealed record TierOverview
{
    /// <summary>Pages that are on the device alone.</summary>
    public long ColdPages { get; internal set; }

    /// <summary>Memory of pages that are on the device too.</summary>
    public long CleanBytes { get; internal set; }

    /// <summary>Memory of pages that are being written.</summary>
    public long WritingBytes { get; internal set; }

    /// <summary>Segments that hold pages.</summary>
    public long Segments { get; internal set; }

    /// <summary>Bytes of the device given to pages.</summary>
    public long DeviceUsedBytes { get; internal set; }

    /// <summary>Bytes of live records among them.</summary>
    public long DeviceLiveBytes { get; internal set; }

    /// <summary>Bytes of segments without pages that stay because a checkpoint names them.</summary>
    public long DeviceHeldBytes { get; internal set; }

    /// <summary>Pages written since the start, and their bytes.</summary>
    public long WrittenPages { get; internal set; }

    /// <inheritdoc cref="WrittenPages"/>
    public long WrittenBytes { get; internal set; }

    /// <summary>Pages read back since the start to empty segments or to find expired records.</summary>
    public long SweptPages { get; internal set; }

    /// <summary>Records read since the start.</summary>
    public long Reads { get; internal set; }

    /// <summary>Those that took a second read.</summary>
    public long SecondReads { get; internal set; }

    /// <summary>Reads that the device failed.</summary>
    public long FailedReads { get; internal set; }

    /// <summary>Records that were not as they had been written.</summary>
    public long DamagedRecords { get; internal set; }

    /// <summary>Records that were moved back into memory because they were read again.</summary>
    public long CopiedRecords { get; internal set; }

    /// <summary>Large collections that were packed to leave memory, since the start.</summary>
    public long FrozenCollections { get; internal set; }

    /// <summary>Those that were made large again.</summary>
    public long ThawedCollections { get; internal set; }

    /// <summary>Requests under way.</summary>
    public long InFlight { get; internal set; }

    /// <summary>Adds up.</summary>
    public static TierOverview Of(Tier tier)
    {
        var sum = new TierOverview();
        foreach (var shard in tier.Shards)
        {
            var pages = shard.Store.Log.Device!;
            sum.ColdPages += pages.ColdPages;
            sum.CleanBytes += pages.CleanBytes;
            sum.WritingBytes += pages.WritingBytes;
            sum.Segments += pages.Segments.Count;
            sum.DeviceUsedBytes += pages.Segments.UsedBytes;
            sum.DeviceLiveBytes += pages.Segments.LiveBytes;
            sum.DeviceHeldBytes += pages.Segments.HeldBytes;
            sum.WrittenPages += shard.WrittenPages;
            sum.WrittenBytes += shard.WrittenBytes;
            sum.SweptPages += shard.SweptPages;
            sum.FrozenCollections += shard.Store.Collections.Frozen;
            sum.ThawedCollections += shard.Store.Collections.Thawed;
        }

        foreach (var worker in tier.Workers)
        {
            sum.Reads += worker?.Reads ?? 0;
            sum.SecondReads += worker?.SecondReads ?? 0;
            sum.FailedReads += worker?.FailedReads ?? 0;
            sum.DamagedRecords += worker?.DamagedRecords ?? 0;
            sum.CopiedRecords += worker?.CopiedRecords ?? 0;
            sum.InFlight += worker?.InFlight ?? 0;
        }

        return sum;
    }
}
