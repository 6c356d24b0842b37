namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// Reads and misses of the last hour, or day, in periods that are forgotten one by one. They are kept by groups of
/// keys, which chance decides: how many reads there were in all is known, so what the keys that were drawn have too
/// many, or too few, is taken off, by as much as misses go with reads from group to group (the regression estimator of
/// survey sampling; Cochran, "Sampling Techniques", 1977). Of a loop over all keys that is all of it, of traffic whose
/// hottest keys are drawn or not nearly nothing (SHARDS-adj takes that for granted). Reads of the very hottest are
/// counted by themselves, as hits.
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
    private readonly double[] _total;
    private readonly double[] _hot;
    private readonly float[] _reads;
    private readonly float[] _misses;
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
        _total = new double[periods];
        _hot = new double[periods];
        _reads = new float[periods * caches * Groups];
        _misses = new float[periods * caches * Groups];
    }

    /// <summary>Memory, bytes, about.</summary>
    public static int BytesFor(int caches, int periods)
        => periods * ((2 * sizeof(double)) + (caches * Groups * 2 * sizeof(float)));

    /// <summary>The group of a key.</summary>
    public static int GroupOf(ulong hash) => (int)(hash >> 7) & (Groups - 1);

    /// <summary>Counts reads, of all keys.</summary>
    /// <param name="hot">Those of keys that are counted by themselves.</param>
    /// <param name="reads">Those of all.</param>
    /// <param name="nowSeconds">The time.</param>
    public void CountReads(long reads, long hot, long nowSeconds)
    {
        Advance(nowSeconds);
        _total[_period % _periods] += reads;
        _hot[_period % _periods] += hot;
    }

    /// <summary>Counts a read of a key that was drawn.</summary>
    /// <param name="cache">Which cache has met it.</param>
    /// <param name="group">The key's group.</param>
    /// <param name="weight">For how many it stands.</param>
    /// <param name="isMiss">Whether the key was not there.</param>
    public void Count(int cache, int group, float weight, bool isMiss)
    {
        var at = ((((int)(_period % _periods) * _caches) + cache) * Groups) + group;
        _reads[at] += weight;
        _misses[at] += isMiss ? weight : 0;
    }

    /// <summary>The part of reads that a cache has found; not a number where there were none. Any thread.</summary>
    public (double Ratio, double Error) HitRatioOf(int cache)
    {
        Span<double> reads = stackalloc double[Groups];
        Span<double> misses = stackalloc double[Groups];
        reads.Clear();
        misses.Clear();
        var (total, hot) = (0.0, 0.0);
        for (var period = 0; period < _periods; period++)
        {
            total += _total[period];
            hot += _hot[period];
            for (var group = 0; group < Groups; group++)
            {
                var at = (((period * _caches) + cache) * Groups) + group;
                reads[group] += _reads[at];
                misses[group] += _misses[at];
            }
        }

        var (ratio, error) = Estimate(reads, misses, total - hot);
        var part = total == 0 ? 0 : hot / total;
        return part > MostHot ? (1, 0) : (part + ((1 - part) * ratio), (1 - part) * error);
    }

    private static (double Ratio, double Error) Estimate(Span<double> reads, Span<double> misses, double total)
    {
        var (meanReads, meanMisses) = (0.0, 0.0);
        for (var group = 0; group < Groups; group++)
        {
            meanReads += reads[group] / Groups;
            meanMisses += misses[group] / Groups;
        }

        if (total <= 0 || meanReads == 0)
        {
            return (double.NaN, double.NaN);
        }

        var (covariance, variance) = (0.0, 0.0);
        for (var group = 0; group < Groups; group++)
        {
            covariance += (reads[group] - meanReads) * (misses[group] - meanMisses);
            variance += (reads[group] - meanReads) * (reads[group] - meanReads);
        }

        var slope = variance == 0 ? meanMisses / meanReads : Math.Clamp(covariance / variance, 0, 1);
        var missed = (Groups * meanMisses) - (slope * ((Groups * meanReads) - total));
        var residual = 0.0;
        for (var group = 0; group < Groups; group++)
        {
            var off = misses[group] - meanMisses - (slope * (reads[group] - meanReads));
            residual += off * off;
        }

        var error = 2 * Math.Sqrt(residual * Groups / (Groups - 2)) / total;
        return (1 - Math.Clamp(missed / total, 0, 1), error);
    }

    private void Advance(long nowSeconds)
    {
        var period = nowSeconds / _periodSeconds;
        if (period <= _period)
        {
            return; // A clock that was set back waits.
        }

        for (var next = Math.Max(_period + 1, period - _periods + 1); next <= period; next++)
        {
            var at = (int)(next % _periods);
            _total[at] = 0;
            _hot[at] = 0;
            Array.Clear(_reads, at * _caches * Groups, _caches * Groups);
            Array.Clear(_misses, at * _caches * Groups, _caches * Groups);
        }

        _period = period;
    }
}
