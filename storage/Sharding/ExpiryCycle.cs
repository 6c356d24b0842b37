using System.Diagnostics;
using Strata.Storage.Log;

namespace Strata.Storage.Sharding;

/// <summary>
/// Deletes keys whose time has come without waiting for an access. Pages know a lower bound of their records' expiry
/// (expiry by segment; Yang et al., NSDI '21), so only pages that can hold an expired record are walked.
/// </summary>
internal sealed unsafe class ExpiryCycle
{
    private readonly Shard _shard;
    private int _page;

    public ExpiryCycle(Shard shard)
    {
        _shard = shard;
    }

    /// <summary>Goes round the pages once, or until <paramref name="deadline"/> (Stopwatch ticks); the next call goes
    /// on from there.</summary>
    public void Run(long nowMs, long deadline)
    {
        if (_shard.Databases.TotalExpires == 0)
        {
            return;
        }

        var top = _shard.Log.PageTop;
        for (var visited = 0; visited < top; visited++)
        {
            _page = _page + 1 >= top ? 1 : _page + 1;
            ref readonly var info = ref _shard.Log.Pages[_page];
            if (info.Kind == PageKind.Free || info.EarliestExpiryMs >= nowMs)
            {
                continue;
            }

            Expire(_page, nowMs);
            if (Stopwatch.GetTimestamp() >= deadline)
            {
                return;
            }
        }
    }

    public void Reset() => _page = 0;

    private void Expire(int page, long nowMs)
    {
        var log = _shard.Log;
        var earliest = long.MaxValue;
        for (long offset = 0; log.Pages[page].Kind != PageKind.Free && log.TryWalk(page, ref offset, out var record);)
        {
            if (!record.HasExpiry)
            {
                continue;
            }

            if (record.ExpiryMs >= nowMs)
            {
                earliest = Math.Min(earliest, record.ExpiryMs);
            }
            else if (_shard.TryFindLive(record, out var hash, out var slot))
            {
                _shard.Drop(hash, slot, record);
                _shard.Statistics.ExpiredKeys++;
            }
        }

        if (log.Pages[page].Kind != PageKind.Free)
        {
            log.Pages[page].EarliestExpiryMs = earliest;
        }
    }
}
