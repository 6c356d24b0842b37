using System.Runtime.CompilerServices;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>Goes over the members of a sorted set in the cells that cover a shape. The set must not change meanwhile.
/// </summary>
internal struct GeoWalk
{
    private const int Cells = 9;

    private readonly GeoReach _reach;
    private CellArray _cells;
    private ScoreCursor _cursor;
    private int _next;
    private int _last;

    /// <summary>Stands before the first member.</summary>
    public GeoWalk(in GeoShape shape)
    {
        _reach = GeoReach.Of(shape);
        shape.Cover(_cells);
    }

    /// <summary>Gives the next member that may be in the shape, as far as its cell tells.</summary>
    /// <param name="set">Whose member it is.</param>
    /// <param name="effort">How many may be looked at; afterwards, how many more.</param>
    /// <param name="element">The member.</param>
    /// <param name="place">Where it is.</param>
    /// <returns>False when there is none, or no effort left.</returns>
    public bool TryNext(in SortedSetReader set, ref int effort, out SortedSetElement element, out GeoPoint place)
    {
        while (effort > 0)
        {
            if (_cursor.TryNext(out element, out var score))
            {
                effort--;
                var cell = GeoCell.OfScore(score);
                if (!_reach.Excludes(cell))
                {
                    place = cell.Area().Middle;
                    return true;
                }
            }
            else if (TryNextCell(out var cell))
            {
                _cursor = set.WalkScores(cell.FirstScore, cell.EndScore);
            }
            else
            {
                break;
            }
        }

        (element, place) = (default, default);
        return false;
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

    [InlineArray(Cells)]
    private struct CellArray
    {
        private GeoCell _first;
    }
}
