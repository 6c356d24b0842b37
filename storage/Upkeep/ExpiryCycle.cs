using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;

namespace Strata.Storage.Upkeep;

/// <summary>
/// Deletes keys whose time has come without waiting for an access. Pages know a lower bound of their records' expiry
/// (expiry by segment; Yang et al., NSDI '21), and each walk notes when the next one will find a thirty-second of the
/// page expired. Walks at that time cost what they find; a few others a second see to the stragglers.
/// </summary>
internal sealed unsafe class ExpiryCycle
{
    // One walk that is not yet worth its while in so many milliseconds, and how many at most in one run.
    private const int StragglerMs = 50;
    private const int MaxStragglerWalks = 4;

    // Pages looked at in one run, which costs some ten microseconds.
    private const int PagesLookedAt = 4096;

    private readonly TieredStore _store;
    private readonly ExpiryHistogram _histogram = new();
    private int _page;
    private long _stragglersPaidToMs;

    public ExpiryCycle(TieredStore store)
    {
        _store = store;
    }

    /// <summary>Goes round the pages once, or until <paramref name="deadline"/>; the next call goes on from there.
    /// </summary>
    public void Run(long nowMs, in Deadline deadline)
    {
        if (_store.Databases.TotalExpires == 0)
        {
            return;
        }

        _stragglersPaidToMs = Math.Clamp(_stragglersPaidToMs, nowMs - (StragglerMs * MaxStragglerWalks), nowMs);
        var top = _store.Log.PageTop;
        for (var visited = 0; visited < Math.Min(top, PagesLookedAt); visited++)
        {
            _page = _page + 1 >= top ? 1 : _page + 1;
            ref readonly var info = ref _store.Log.Pages[_page];
            if (info.Kind == PageKind.Free || info.EarliestExpiryMs >= nowMs || !IsWorthWalking(info, nowMs))
            {
                continue;
            }

            if (info.Kind != PageKind.Cold)
            {
                Expire(_page, nowMs);
            }
            else if (_store.Tier!.TryExpire(_page))
            {
                _store.Log.Pages[_page].EarliestExpiryMs = long.MaxValue; // Until it was gone over.
            }

            if (deadline.HasPassed)
            {
                return;
            }
        }
    }

    public void Reset() => _page = 0;

    private bool IsWorthWalking(in PageInfo info, long nowMs)
    {
        if (info.ExpiryDueMs < nowMs)
        {
            return true;
        }

        if (_stragglersPaidToMs + StragglerMs > nowMs)
        {
            return false;
        }

        _stragglersPaidToMs += StragglerMs;
        return true;
    }

    private void Expire(int page, long nowMs)
    {
        var log = _store.Log;
        var earliest = long.MaxValue;
        var walked = 0;
        _histogram.Clear();
        for (long offset = 0; log.TryWalk(page, ref offset, out var record);)
        {
            walked++;
            if (!record.HasExpiry || record.IsDead)
            {
                continue;
            }

            if (record.ExpiryMs >= nowMs)
            {
                earliest = Math.Min(earliest, record.ExpiryMs);
                _histogram.Add(record.ExpiryMs - nowMs);
            }
            else if (_store.TryFindLive(record, out var hash, out var slot))
            {
                var isJumbo = log.Pages[page].IsJumbo;
                _store.Expire(hash, slot, record);
                if (isJumbo)
                {
                    return; // The page went with its record.
                }
            }
        }

        _store.Statistics.ExpiryWalkedRecords += walked;
        ref var info = ref log.Pages[page];
        info.EarliestExpiryMs = earliest;
        info.ExpiryDueMs = _histogram.DueMs(nowMs, walked);
    }
}
