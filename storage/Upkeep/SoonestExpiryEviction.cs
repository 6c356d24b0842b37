using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Upkeep;

/// <summary>
/// The volatile-ttl policy: of the page whose first record expires soonest, the eighth that expires soonest goes. Step
/// by step that lowers what stands out, so that the pages come to hold no record that expires before the others' do.
/// What goes leaves garbage, from which the compactor makes free pages.
/// </summary>
internal sealed unsafe class SoonestExpiryEviction
{
    private const int PagesLookedAt = 1024;
    private const int ShareTaken = 8;

    private readonly RecordStore _store;
    private readonly ExpiryHistogram _histogram = new();
    private int _next = 1;

    public SoonestExpiryEviction(RecordStore store)
    {
        _store = store;
    }

    /// <summary>Evicts part of a page; the shard holds at least one record that expires.</summary>
    public void Step(long nowMs)
    {
        var page = ChoosePage();
        var cutoffMs = CutoffOf(page, nowMs);
        var log = _store.Log;
        var earliest = long.MaxValue;
        var isJumbo = log.Pages[page].IsJumbo;
        for (long offset = 0; log.TryWalk(page, ref offset, out var record);)
        {
            if (!record.HasExpiry || record.IsDead)
            {
                continue;
            }

            if (record.ExpiryMs > cutoffMs)
            {
                earliest = Math.Min(earliest, record.ExpiryMs);
            }
            else if (_store.TryFindLive(record, out var hash, out var slot))
            {
                _store.Evict(hash, slot, record);
                if (isJumbo)
                {
                    return; // The page went with its record.
                }
            }
        }

        log.Pages[page].EarliestExpiryMs = earliest;
    }

    private int ChoosePage()
    {
        var log = _store.Log;
        var best = 0;
        for (var looked = 0; looked < log.PageTop && (looked < PagesLookedAt || best == 0); looked++)
        {
            _next = _next + 1 < log.PageTop ? _next + 1 : 1;
            ref readonly var info = ref log.Pages[_next];
            if (info.Kind != PageKind.Free && info.ExpiringRecords > 0
                && (best == 0 || info.EarliestExpiryMs < log.Pages[best].EarliestExpiryMs))
            {
                best = _next;
            }
        }

        Invariant.Check(best != 0, "a shard with expiring keys has a page that holds one");
        return best;
    }

    private long CutoffOf(int page, long nowMs)
    {
        var log = _store.Log;
        _histogram.Clear();
        for (long offset = 0; log.TryWalk(page, ref offset, out var record);)
        {
            if (record.HasExpiry && !record.IsDead)
            {
                _histogram.Add(record.ExpiryMs - nowMs);
            }
        }

        return nowMs + _histogram.AtRank(Math.Max(1, log.Pages[page].ExpiringRecords / ShareTaken));
    }
}
