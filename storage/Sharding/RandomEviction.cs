using Strata.Storage.Log;

namespace Strata.Storage.Sharding;

/// <summary>The random policies: a page drawn at random goes with all its records, except those a volatile policy
/// keeps.</summary>
internal sealed unsafe class RandomEviction
{
    private const int Draws = 16;

    private readonly Shard _shard;
    private readonly Compactor _compactor;
    private readonly PageScan _scan = new();

    public RandomEviction(Shard shard, Compactor compactor)
    {
        _shard = shard;
        _compactor = compactor;
    }

    /// <summary>Takes one page out of use; the shard holds something that may be evicted.</summary>
    public void Step(bool isVolatile, long nowMs)
    {
        var page = ChoosePage(isVolatile);
        var log = _shard.Log;
        _compactor.Forget(page);
        log.Seal(page);
        var isJumbo = log.Pages[page].IsJumbo;
        long offset = 0;
        _ = _scan.Read(_shard, page, ref offset);
        foreach (ref readonly var scanned in _scan.Records)
        {
            var record = log.Open(scanned.Address);
            var slot = _shard.FindSlot(scanned.Hash, scanned.Address);
            if (!Evictor.TryExempt(_shard, scanned, slot, record, isVolatile, nowMs))
            {
                _shard.Evict(scanned.Hash, slot, record);
            }
        }

        if (!isJumbo) // A page of one record goes with its record.
        {
            log.RetirePage(page);
        }
    }

    private int ChoosePage(bool isVolatile)
    {
        var top = _shard.Log.PageTop;
        var page = 0;
        for (var draw = 0; draw < Draws; draw++)
        {
            page = _shard.Random.Next(1, top);
            if (!_shard.Log.Pages[page].IsOpen && IsCandidate(page, isVolatile))
            {
                return page;
            }
        }

        // Few pages qualify: the next one that does.
        while (!IsCandidate(page, isVolatile))
        {
            page = page + 1 < top ? page + 1 : 1;
        }

        return page;
    }

    private bool IsCandidate(int page, bool isVolatile)
    {
        ref readonly var info = ref _shard.Log.Pages[page];
        return info.Kind != PageKind.Free && (!isVolatile || info.ExpiringRecords > 0);
    }
}
