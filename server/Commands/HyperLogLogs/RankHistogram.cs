using System.Runtime.CompilerServices;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>How many of many ranks are which.</summary>
internal static class RankHistogram
{
    // Neighbours are mostly equal: counted in one place, each would wait for the one before it.
    private const int Tables = 4;

    /// <summary>Adds ranks, a byte each, to a histogram.</summary>
    /// <param name="ranks">As many as there are registers, each below <see
    /// cref="CardinalityEstimator.HistogramSize"/>.</param>
    /// <param name="histogram">A number for each value.</param>
    [SkipLocalsInit]
    public static void Add(ReadOnlySpan<byte> ranks, Span<int> histogram)
    {
        const int Size = CardinalityEstimator.HistogramSize;
        Span<int> counts = stackalloc int[Tables * Size];
        counts.Clear();
        for (; ranks.Length >= Tables; ranks = ranks[Tables..])
        {
            counts[ranks[0]]++;
            counts[Size + ranks[1]]++;
            counts[(2 * Size) + ranks[2]]++;
            counts[(3 * Size) + ranks[3]]++;
        }

        for (var rank = 0; rank < Size; rank++)
        {
            histogram[rank] += counts[rank] + counts[Size + rank] + counts[(2 * Size) + rank]
                + counts[(3 * Size) + rank];
        }
    }
}
