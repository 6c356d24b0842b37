using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Upkeep;

/// <summary>
/// Finds freed space again: takes the page with the largest share of garbage, moves its live records to the young end
/// of the log and retires it (log-structured memory; Rumble et al., FAST '14). Works a few records at a time.
/// </summary>
internal sealed unsafe class Compactor
{
    private const int RecordsAtOnce = 32;

    private readonly RecordStore _store;
    private readonly PageScan _scan = new();
    private int _victim;
    private long _offset;

    public Compactor(RecordStore store)
    {
        _store = store;
    }

    /// <summary>Walks about <paramref name="bytes"/>: of the page under way, then of the worst ones that have at least
    /// <paramref name="leastRank"/> sixteenths of garbage.</summary>
    /// <returns>False when there is no such page, or no room for what lives in it.</returns>
    public bool Step(long bytes, int leastRank, long nowMs)
    {
        for (long walked = 0; walked < bytes;)
        {
            if (_victim == 0)
            {
                _victim = _store.Log.WorstPage(leastRank);
                _offset = 0;
            }

            if (_victim == 0)
            {
                return walked > 0;
            }

            if (!TryAdvance(nowMs, ref walked))
            {
                _victim = 0; // Begun anew, it holds what was not moved.
                return false;
            }
        }

        return true;
    }

    /// <summary>Leaves a page alone: it is being taken out of use by others.</summary>
    public void Forget(int page)
    {
        if (page == _victim)
        {
            _victim = 0;
        }
    }

    public void Reset() => _victim = 0;

    private bool TryAdvance(long nowMs, ref long walked)
    {
        var log = _store.Log;
        var page = _victim;
        var start = _offset;
        var isJumbo = log.Pages[page].IsJumbo;
        var isMore = false;
        if (log.Pages[page].LiveBytes > 0)
        {
            isMore = _scan.Read(_store, page, ref _offset, RecordsAtOnce) && !isJumbo;
            if (!TryMoveLive(page, nowMs))
            {
                return false;
            }
        }

        if (!isMore)
        {
            _victim = 0;
            _store.Statistics.CompactedPages++;
            if (!isJumbo) // A page of one record goes with its record.
            {
                log.RetirePage(page);
            }
        }

        walked += Math.Max(_offset - start, RecordHeader.Alignment);
        return true;
    }

    private bool TryMoveLive(int page, long nowMs)
    {
        var kind = _store.Log.Pages[page].Kind;
        foreach (ref readonly var scanned in _scan.Records)
        {
            var record = _store.Log.Open(scanned.Address);
            var slot = _store.FindSlot(scanned.Hash, scanned.Address);
            if (_store.ExpiryHold.IsDue(record, nowMs))
            {
                _store.Expire(scanned.Hash, slot, record);
            }
            else
            {
                var target = _store.Placement.PlaceCompacted(kind, record.HasExpiry);
                if (!_store.TryRelocate(slot, record, target, IndexEntry.Frequency(*slot)))
                {
                    return false;
                }

                _store.Statistics.CompactedBytes += record.LiveBytes;
            }
        }

        return true;
    }
}
