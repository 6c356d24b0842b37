using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Sharding;

/// <summary>
/// Finds freed space again: takes the page with the largest share of garbage, moves its live records to the young end
/// of the log and retires it (log-structured memory; Rumble et al., FAST '14). Works a few records at a time.
/// </summary>
internal sealed unsafe class Compactor
{
    private readonly Shard _shard;
    private int _victim;
    private long _offset;

    public Compactor(Shard shard)
    {
        _shard = shard;
    }

    /// <summary>Walks about <paramref name="bytes"/> of the page under way, or of the next one, to its end at most.
    /// </summary>
    public void Step(long bytes, long nowMs)
    {
        var log = _shard.Log;
        if (_victim == 0)
        {
            _victim = ChooseVictim();
            _offset = 0;
        }

        var start = _offset;
        while (_victim != 0 && _offset - start < bytes)
        {
            if (!log.TryWalk(_victim, ref _offset, out var record))
            {
                Finish();
                return;
            }

            if (_shard.TryFindLive(record, out var hash, out var slot))
            {
                MoveOrDrop(hash, slot, record, nowMs);
            }
        }
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

    private void MoveOrDrop(ulong hash, ulong* slot, in Record record, long nowMs)
    {
        var page = _victim;
        var isJumbo = _shard.Log.Pages[page].IsJumbo;
        if (record.HasExpiry && record.ExpiryMs < nowMs)
        {
            _shard.Drop(hash, slot, record);
            _shard.Statistics.ExpiredKeys++;
        }
        else
        {
            _shard.Statistics.CompactedBytes += record.LiveBytes;
            _shard.Relocate(slot, record, _shard.Log.Pages[page].Kind, IndexEntry.Frequency(*slot));
        }

        if (isJumbo)
        {
            _victim = 0; // Its only record is gone, and the page with it.
            _shard.Statistics.CompactedPages++;
        }
    }

    private void Finish()
    {
        var page = _victim;
        _victim = 0;
        _shard.Log.RetirePage(page);
        _shard.Statistics.CompactedPages++;
    }

    private int ChooseVictim()
    {
        var pages = _shard.Log.Pages;
        var best = 0;
        var bestShare = 0.0;
        for (var page = 1; page < _shard.Log.PageTop; page++)
        {
            ref readonly var info = ref pages[page];
            if (info.Kind == PageKind.Free || info.IsOpen)
            {
                continue;
            }

            var share = 1 - ((double)info.LiveBytes / info.UsedBytes);
            if (share > bestShare)
            {
                best = page;
                bestShare = share;
            }
        }

        return best;
    }
}
