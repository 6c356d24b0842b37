using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Sharding;

/// <summary>
/// Makes room by pages. New records enter a small queue; those read again move to the main queue, whose records are
/// given further rounds while they are read (S3-FIFO; Yang et al., SOSP '23).
/// </summary>
internal sealed unsafe class Evictor
{
    // The small queue's share of memory, a tenth as in the paper.
    private const int ProbationShare = 10;

    private readonly Shard _shard;

    public Evictor(Shard shard)
    {
        _shard = shard;
    }

    public EvictionPolicy Policy { get; set; }

    private bool IsVolatile => Policy >= EvictionPolicy.VolatileLru;

    /// <summary>Takes one page out of use, keeping what deserves it.</summary>
    /// <returns>False when the policy allows nothing to be evicted.</returns>
    public bool TryEvictPage(Compactor compactor, long nowMs)
    {
        if (Policy == EvictionPolicy.NoEviction || (IsVolatile && _shard.Databases.TotalExpires == 0))
        {
            return false;
        }

        var page = ChoosePage();
        if (page < 0)
        {
            return false;
        }

        compactor.Forget(page);
        if (_shard.Log.Pages[page].IsOpen)
        {
            _shard.Log.Seal(_shard.Log.Pages[page].Kind);
        }

        Empty(page, nowMs);
        return true;
    }

    private int ChoosePage()
    {
        var log = _shard.Log;
        var probation = log.Queue(PageKind.Probation);
        var main = log.Queue(PageKind.Main);
        var takeProbation = main.Count == 0
            || probation.FrameBytes * ProbationShare > probation.FrameBytes + main.FrameBytes;
        return takeProbation ? probation.Oldest : main.Oldest;
    }

    private void Empty(int page, long nowMs)
    {
        var log = _shard.Log;
        var kind = log.Pages[page].Kind;
        var isJumbo = log.Pages[page].IsJumbo;
        for (long offset = 0; log.TryWalk(page, ref offset, out var record);)
        {
            if (_shard.TryFindLive(record, out var hash, out var slot))
            {
                Judge(hash, slot, record, kind, nowMs);
            }

            if (isJumbo)
            {
                return; // Its only record is gone, and the page with it.
            }
        }

        log.RetirePage(page);
    }

    private void Judge(ulong hash, ulong* slot, in Record record, PageKind kind, long nowMs)
    {
        if (record.HasExpiry && record.ExpiryMs < nowMs)
        {
            _shard.Drop(hash, slot, record);
            _shard.Statistics.ExpiredKeys++;
            return;
        }

        var frequency = IndexEntry.Frequency(*slot);
        if (IsVolatile && !record.HasExpiry)
        {
            _shard.Relocate(slot, record, PageKind.Main, frequency);
        }
        else if (frequency == 0)
        {
            _shard.Drop(hash, slot, record);
            _shard.Statistics.EvictedKeys++;
        }
        else
        {
            _shard.Relocate(slot, record, PageKind.Main, kind == PageKind.Main ? frequency - 1 : 0);
        }
    }
}
