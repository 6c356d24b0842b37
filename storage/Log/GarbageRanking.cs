namespace Strata.Storage.Log;

/// <summary>Closed pages ranked by their share of garbage, in sixteenths, so that the compactor finds the worst without
/// looking at all. A page is ranked anew only when it crosses a sixteenth.</summary>
internal sealed class GarbageRanking
{
    /// <summary>Ranks 1 to 15; pages with less than a sixteenth of garbage are in none.</summary>
    public const int Ranks = 16;

    private readonly int[] _first = new int[Ranks];

    /// <summary>The page with the largest share of garbage, or 0 when none has <paramref name="leastRank"/> sixteenths.
    /// </summary>
    public int Worst(PageInfo[] pages, int leastRank)
    {
        for (var rank = Ranks - 1; rank >= leastRank; rank--)
        {
            while (_first[rank] != 0)
            {
                var page = _first[rank];
                Update(pages, page); // Values that grew in place may have used up what was garbage.
                if (pages[page].GarbageRank == rank)
                {
                    return page;
                }
            }
        }

        return 0;
    }

    /// <summary>Puts a closed page where it belongs.</summary>
    public void Update(PageInfo[] pages, int page)
    {
        ref var info = ref pages[page];
        var bytes = info.UsedBytes - RecordLog.FirstOffset;
        var rank = (int)Math.Clamp(info.GarbageBytes * Ranks / bytes, 0, Ranks - 1);
        info.RankDropsAtBytes = rank == Ranks - 1 ? long.MinValue : bytes - (((rank + 1) * bytes + Ranks - 1) / Ranks);
        if (rank == info.GarbageRank)
        {
            return;
        }

        Remove(pages, page);
        info.GarbageRank = (byte)rank;
        if (rank != 0)
        {
            info.NextRanked = _first[rank];
            if (info.NextRanked != 0)
            {
                pages[info.NextRanked].PreviousRanked = page;
            }

            _first[rank] = page;
        }
    }

    /// <summary>Takes a page out.</summary>
    public void Remove(PageInfo[] pages, int page)
    {
        ref var info = ref pages[page];
        if (info.GarbageRank == 0)
        {
            return;
        }

        if (info.PreviousRanked != 0)
        {
            pages[info.PreviousRanked].NextRanked = info.NextRanked;
        }
        else
        {
            _first[info.GarbageRank] = info.NextRanked;
        }

        if (info.NextRanked != 0)
        {
            pages[info.NextRanked].PreviousRanked = info.PreviousRanked;
        }

        info.PreviousRanked = 0;
        info.NextRanked = 0;
        info.GarbageRank = 0;
    }
}
