using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Storage.Tiering;

/// <summary>
/// Goes over a page that is about to leave memory: deletes what has expired, and moves what was read lately to the
/// main queue, as the eviction policies do (S3-FIFO; Yang et al., SOSP '23), but no more than half of the page, so
/// that memory is won. Large collections never leave by their page: what stands there is the address of their memory.
/// They are frozen, one record each at the young end of the log, which leaves memory in its turn; a little at a time,
/// and those too long for a record stay.
/// </summary>
internal sealed unsafe class PageRescue
{
    private const int LargestShare = 2;

    // Bytes packed in one call, about a millisecond's work. A collection that is longer is packed alone: what uses it
    // takes as long over it.
    private const long FrozenBytesAtOnce = 1 << 20;

    private readonly Shard _shard;
    private readonly PageScan _scan = new();
    private long _quotaBytes;
    private bool _keptLarge;

    public PageRescue(Shard shard)
    {
        _shard = shard;
    }

    /// <summary>Bytes of collections frozen since <see cref="Begin"/>.</summary>
    public long FrozenBytes { get; private set; }

    /// <summary>Allows for as much work as a call may take.</summary>
    public void Begin() => FrozenBytes = 0;

    /// <summary>Goes over a page.</summary>
    public RescueResult Run(int page, long nowMs)
    {
        var log = _shard.Log;
        log.Seal(page);
        var isJumbo = log.Pages[page].IsJumbo;
        _keptLarge = false;
        if (log.Pages[page].LiveBytes > 0 && !TryGoOver(page, isJumbo, nowMs))
        {
            return RescueResult.Later;
        }

        if (isJumbo)
        {
            // A page of one record goes with its record.
            return log.Pages[page].Kind == PageKind.Free ? Emptied : RescueResult.ToWrite;
        }

        if (log.Pages[page].LiveBytes == 0)
        {
            log.RetirePage(page);
            return Emptied;
        }

        return RescueResult.ToWrite;
    }

    // A page that only moved about wins nothing: going on might go round for ever.
    private RescueResult Emptied => _keptLarge ? RescueResult.Later : RescueResult.Gone;

    /// <summary>Deals with the live records of a page.</summary>
    /// <returns>False when large collections are left for later.</returns>
    private bool TryGoOver(int page, bool isJumbo, long nowMs)
    {
        var log = _shard.Log;
        var kind = log.Pages[page].Kind;
        long offset = 0;
        _ = _scan.Read(_shard, page, ref offset);
        _quotaBytes = isJumbo ? 0 : log.Pages[page].UsedBytes / LargestShare;
        var isWhole = true;
        foreach (ref readonly var scanned in _scan.Records)
        {
            var record = log.Open(scanned.Address);
            if (record.IsExpired(nowMs))
            {
                _shard.Expire(scanned.Hash, _shard.FindSlot(scanned.Hash, scanned.Address), record);
            }
            else if (scanned.Frequency > 0 && record.LiveBytes <= _quotaBytes)
            {
                _quotaBytes -= record.LiveBytes;
                MoveToMain(scanned, record, kind);
            }
            else if (record.IsLarge)
            {
                isWhole &= TryFreeze(scanned, record, kind);
            }
        }

        return isWhole;
    }

    /// <summary>Freezes a collection; one that is too long moves to the main queue.</summary>
    /// <returns>False when it has to wait.</returns>
    private bool TryFreeze(in ScannedRecord scanned, in Record record, PageKind kind)
    {
        if (FrozenBytes >= FrozenBytesAtOnce)
        {
            return false;
        }

        var key = new Key(record.KeyPointer, record.KeyLength, record.Database, scanned.Hash);
        var most = FrozenBytes == 0 ? long.MaxValue : FrozenBytesAtOnce - FrozenBytes;
        if (_shard.Collections.TryFreeze(key, record, most, out var packedBytes))
        {
            FrozenBytes += packedBytes;
            return true;
        }

        if (packedBytes <= Limits.MaxValueBytes)
        {
            return false; // Alone it can be.
        }

        MoveToMain(scanned, record, kind);
        _keptLarge = true;
        return true;
    }

    private void MoveToMain(in ScannedRecord scanned, in Record record, PageKind kind)
    {
        var slot = _shard.FindSlot(scanned.Hash, scanned.Address);
        _shard.Relocate(slot, record, PageKind.Main, QueueEviction.AgedByRound(scanned.Frequency, kind));
    }
}
