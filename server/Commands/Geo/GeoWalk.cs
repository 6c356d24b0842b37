using System.Runtime.CompilerServices;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>Goes over the members of a sorted set in the cells that cover a shape. The set must not change meanwhile.
/// </summary>
internal struct GeoWalk
{
    private const int Cells = 9;

    private CellArray _cells;
    private SortedSetCursor _cursor;
    private int _next;
    private int _last;
    private bool _isWithin;

    /// <summary>Stands before the first member.</summary>
    public GeoWalk(in GeoShape shape)
    {
        shape.Cover(_cells);
    }

    /// <summary>How many members there are in all.</summary>
    public readonly long CountIn(in SortedSetReader set)
    {
        var (walk, count) = (this, 0L);
        while (walk.TryNextCell(out var cell))
        {
            count += RangeOf(set, cell).Count;
        }

        return count;
    }

    /// <summary>Gives the next member.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryNext(in SortedSetReader set, out SortedSetElement element)
    {
        while (true)
        {
            if (_isWithin && _cursor.TryNext(out element))
            {
                return true;
            }

            _isWithin = TryNextCell(out var cell);
            if (!_isWithin)
            {
                element = default;
                return false;
            }

            _cursor = set.Walk(RangeOf(set, cell));
        }
    }

    private bool TryNextCell(out GeoCell cell)
    {
        while (_next < Cells)
        {
            // Where cells are large, neighbours on both sides are the same.
            var i = _next++;
            cell = _cells[i];
            if (cell.Steps > 0 && (_last == 0 || cell != _cells[_last]))
            {
                _last = i;
                return true;
            }
        }

        cell = default;
        return false;
    }

    private static RankRange RangeOf(in SortedSetReader set, GeoCell cell)
        => set.ByScore(new ScoreRange(cell.FirstScore, ExcludesMin: false, cell.EndScore, ExcludesMax: true));

    [InlineArray(Cells)]
    private struct CellArray
    {
        private GeoCell _first;
    }
}
