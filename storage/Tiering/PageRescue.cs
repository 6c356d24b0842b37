using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Storage.Tiering;

/// <summary>
/// Goes over a page that is about to leave memory: deletes what has expired, and moves what was read lately to the
/// main queue, as the eviction policies do (S3-FIFO; Yang et al., SOSP '23), but no more than half of the page, so
/// that memory is won.
/// </summary>
internal sealed unsafe class PageRescue
{
    private const int LargestShare = 2;

    private readonly Shard _shard;
    private readonly PageScan _scan = new();

    public PageRescue(Shard shard)
    {
        _shard = shard;
    }

    /// <summary>Goes over a page.</summary>
    /// <returns>Whether there is something left to be written; else the page is gone.</returns>
    public bool Run(int page, long nowMs)
    {
        var log = _shard.Log;
        log.Seal(page);
        var kind = log.Pages[page].Kind;
        var isLarge = log.Pages[page].IsJumbo;
        if (log.Pages[page].LiveBytes > 0)
        {
            long offset = 0;
            _ = _scan.Read(_shard, page, ref offset);
            var quotaBytes = isLarge ? 0 : log.Pages[page].UsedBytes / LargestShare;
            foreach (ref readonly var scanned in _scan.Records)
            {
                var record = log.Open(scanned.Address);
                if (record.IsExpired(nowMs))
                {
                    _shard.Expire(scanned.Hash, _shard.FindSlot(scanned.Hash, scanned.Address), record);
                }
                else if (scanned.Frequency > 0 && record.LiveBytes <= quotaBytes)
                {
                    quotaBytes -= record.LiveBytes;
                    var slot = _shard.FindSlot(scanned.Hash, scanned.Address);
                    var frequency = QueueEviction.AgedByRound(scanned.Frequency, kind);
                    _shard.Relocate(slot, record, PageKind.Main, frequency);
                }
            }
        }

        if (isLarge)
        {
            return log.Pages[page].Kind != PageKind.Free; // A page of one record goes with its record.
        }

        if (log.Pages[page].LiveBytes == 0)
        {
            log.RetirePage(page);
            return false;
        }

        return true;
    }
}
