using System.Runtime.CompilerServices;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>Goes over the members of a sorted set in the cells that cover a shape. The set must not change meanwhile.
/// </summary>
internal struct GeoWalk
{
    private const int Cells = 9;

    private readonly GeoReach _reach;
    private RangeArray _ranges;
    private SortedSetCursor _cursor;
    private int _count;
    private int _next;

    /// <summary>Stands before the first member.</summary>
    /// <param name="shape">What is covered.</param>
    /// <param name="set">Whose members are gone over.</param>
    public GeoWalk(in GeoShape shape, in SortedSetReader set)
    {
        _reach = GeoReach.Of(shape);
        Span<GeoCell> cells = stackalloc GeoCell[Cells];
        shape.Cover(cells);
        var last = 0;
        for (var i = 0; i < Cells; i++)
        {
            // Where cells are large, neighbours on both sides are the same.
            var cell = cells[i];
            if (cell.Steps > 0 && (last == 0 || cell != cells[last]))
            {
                last = i;
                Add(set.ByScore(
                    new ScoreRange(cell.FirstScore, ExcludesMin: false, cell.EndScore, ExcludesMax: true)));
            }
        }
    }

    /// <summary>How many members there are in all.</summary>
    public long Count { get; private set; }

    /// <summary>Gives the next member.</summary>
    /// <param name="set">Whose member it is.</param>
    /// <param name="element">The member.</param>
    /// <param name="place">Where it is.</param>
    /// <param name="mayBeWithin">Whether it may be in the shape, as far as can be told at once.</param>
    /// <returns>False when there is none.</returns>
    public bool TryNext(
        in SortedSetReader set, out SortedSetElement element, out GeoPoint place, out bool mayBeWithin)
    {
        double score;
        while (!_cursor.TryNext(out element, out score))
        {
            if (_next == _count)
            {
                (place, mayBeWithin) = (default, false);
                return false;
            }

            _cursor = set.Walk(_ranges[_next++]);
        }

        place = GeoPoint.OfScore(score);
        mayBeWithin = !_reach.Excludes(place);
        return true;
    }

    private void Add(in RankRange range)
    {
        if (range.Count > 0)
        {
            Count += range.Count;
            _ranges[_count++] = range;
        }
    }

    [InlineArray(Cells)]
    private struct RangeArray
    {
        private RankRange _first;
    }
}
