using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Upkeep;

/// <summary>The random policies: a page drawn at random goes with all its records, except those a volatile policy
/// keeps.</summary>
internal sealed unsafe class RandomEviction
{
    private const int Draws = 16;

    private readonly RecordStore _store;
    private readonly Compactor _compactor;
    private readonly PageScan _scan = new();

    public RandomEviction(RecordStore store, Compactor compactor)
    {
        _store = store;
        _compactor = compactor;
    }

    /// <summary>Takes one page out of use; the shard holds something that may be evicted.</summary>
    public void Step(bool isVolatile, long nowMs)
    {
        var page = ChoosePage(isVolatile);
        var log = _store.Log;
        _compactor.Forget(page);
        log.Seal(page);
        var isJumbo = log.Pages[page].IsJumbo;
        long offset = 0;
        _ = _scan.Read(_store, page, ref offset);
        foreach (ref readonly var scanned in _scan.Records)
        {
            var record = log.Open(scanned.Address);
            var slot = _store.FindSlot(scanned.Hash, scanned.Address);
            if (!Evictor.TryExempt(_store, scanned, slot, record, isVolatile, nowMs))
            {
                _store.Evict(scanned.Hash, slot, record);
            }
        }

        if (!isJumbo) // A page of one record goes with its record.
        {
            Evictor.Leave(log, page);
        }
    }

    private int ChoosePage(bool isVolatile)
    {
        var top = _store.Log.PageTop;
        var page = 0;
        for (var draw = 0; draw < Draws; draw++)
        {
            page = _store.Random.Next(1, top);
            if (!_store.Log.Pages[page].IsOpen && IsCandidate(page, isVolatile))
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
        ref readonly var info = ref _store.Log.Pages[page];
        return info.Kind != PageKind.Free && (!isVolatile || info.ExpiringRecords > 0);
    }
}
