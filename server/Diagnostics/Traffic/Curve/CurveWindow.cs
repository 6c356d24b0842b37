using System.Runtime.CompilerServices;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// Reads and misses of the last hour, or day, in periods that are forgotten one by one. They are kept by groups of
/// keys, which chance decides. How many reads there were in all is known, and how many of them the server itself has
/// missed: so what the keys that were drawn have too many of those, or too few, is taken off, by as much as a cache's
/// misses go with them from group to group (<see cref="Regression"/>). Of a loop over all keys that is all of it, of
/// traffic whose hottest keys are drawn or not nearly nothing (SHARDS-adj takes that for granted). Reads of the very
/// hottest are counted by themselves.
/// </summary>
internal sealed class CurveWindow
{
    /// <summary>Groups of keys.</summary>
    public const int Groups = 32;

    // Where the hot keys are all there is, there is nothing to draw from.
    private const double MostHot = 0.98;

    private readonly int _caches;
    private readonly int _periods;
    private readonly long _periodSeconds;
    private readonly ReadTotals[] _totals;
    private readonly float[] _reads;
    private readonly float[] _misses;
    private readonly float[] _missed;
    private long _period = -1;

    /// <summary>Nothing was read yet.</summary>
    /// <param name="caches">How many caches are simulated.</param>
    /// <param name="seconds">What is told of.</param>
    /// <param name="periods">In how many periods.</param>
    public CurveWindow(int caches, long seconds, int periods)
    {
        _caches = caches;
        _periods = periods;
        _periodSeconds = seconds / periods;
        _totals = new ReadTotals[periods * caches];
        _reads = new float[periods * caches * Groups];
        _misses = new float[periods * caches * Groups];
        _missed = new float[periods * caches * Groups];
    }

    /// <summary>Memory, bytes, about.</summary>
    public static int BytesFor(int caches, int periods)
        => periods * caches * ((Groups * 3 * sizeof(float)) + Unsafe.SizeOf<ReadTotals>());

    /// <summary>The group of a key.</summary>
    public static int GroupOf(ulong hash) => (int)(hash >> 7) & (Groups - 1);

    /// <summary>Begins the period that it is.</summary>
    public void Advance(long nowSeconds)
    {
        var period = nowSeconds / _periodSeconds;
        if (period <= _period)
        {
            return; // A clock that was set back waits.
        }

        for (var next = Math.Max(_period + 1, period - _periods + 1); next <= period; next++)
        {
            var at = (int)(next % _periods) * _caches;
            Array.Clear(_totals, at, _caches);
            Array.Clear(_reads, at * Groups, _caches * Groups);
            Array.Clear(_misses, at * Groups, _caches * Groups);
            Array.Clear(_missed, at * Groups, _caches * Groups);
        }

        _period = period;
    }

    /// <summary>Counts reads, of all keys, that a cache was asked for as far as they are drawn.</summary>
    public void CountReads(int cache, in ReadTotals reads)
        => _totals[((int)(_period % _periods) * _caches) + cache].Add(reads);

    /// <summary>Counts a read of a key that was drawn.</summary>
    /// <param name="cache">Which cache has met it.</param>
    /// <param name="weight">For how many it stands.</param>
    /// <param name="access">The read.</param>
    /// <param name="isMiss">Whether the key was not there.</param>
    public void Count(int cache, float weight, in SampledAccess access, bool isMiss)
    {
        var at = ((int)(_period % _periods) * _caches) + cache;
        _totals[at].Unclear += access.IsUnclear ? weight : 0;
        at = ((((int)(_period % _periods) * Groups) + GroupOf(access.Hash)) * _caches) + cache;
        _reads[at] += weight;
        _misses[at] += isMiss ? weight : 0;
        _missed[at] += access.IsMissed ? weight : 0;
    }

    /// <summary>The part of reads that a cache has found; not a number where there were none. Any thread.</summary>
    public (double Ratio, double Error) HitRatioOf(int cache)
    {
        Span<double> sums = stackalloc double[3 * Groups];
        sums.Clear();
        var reads = sums[..Groups];
        var misses = sums[Groups..^Groups];
        var missed = sums[^Groups..];
        var total = default(ReadTotals);
        for (var period = 0; period < _periods; period++)
        {
            var at = (period * _caches) + cache;
            total.Add(_totals[at]);
            for (var group = 0; group < Groups; group++)
            {
                at = (((period * Groups) + group) * _caches) + cache;
                reads[group] += _reads[at];
                misses[group] += _misses[at];
                missed[group] += _missed[at];
            }
        }

        if (total.Reads > 0 && total.Hot > MostHot * total.Reads)
        {
            return (1 - (total.HotMissed / total.Reads), 0);
        }

        var (value, error) = Estimate(reads, misses, missed, total);
        return (1 - Math.Clamp((total.HotMissed + value) / total.Reads, 0, 1), error / total.Reads);
    }

    /// <summary>How many reads a cache has missed of those that are not of hot keys.</summary>
    private static (double Value, double Error) Estimate(
        ReadOnlySpan<double> reads, ReadOnlySpan<double> misses, ReadOnlySpan<double> missed, in ReadTotals total)
    {
        var (meanReads, meanMisses, meanMissed) = (0.0, 0.0, 0.0);
        for (var group = 0; group < Groups; group++)
        {
            meanReads += reads[group] / Groups;
            meanMisses += misses[group] / Groups;
            meanMissed += missed[group] / Groups;
        }

        if (total.Reads <= 0 || meanReads == 0)
        {
            return (double.NaN, double.NaN);
        }

        var sums = default(Regression);
        for (var group = 0; group < Groups; group++)
        {
            sums.Add(reads[group] - meanReads, missed[group] - meanMissed, misses[group] - meanMisses);
        }

        return sums.Correct(
            Groups * meanMisses,
            total.Cold - (Groups * meanReads),
            total.ColdMissed - (Groups * meanMissed),
            Groups);
    }
}
