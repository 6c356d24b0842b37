namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>Reads of a part of the keys, and of all, as one cache has met them.</summary>
internal struct PartSums
{
    private ReadTotals _totals;
    private double _hot;
    private double _hotMissed;
    private double _allReads;
    private double _allMissed;
    private double _partReads;
    private double _partMisses;
    private double _readsByMisses;
    private int _keys;

    // Products of the figures of all keys, with the reads and the misses of those of the part.
    private Regression _reads;
    private Regression _misses;

    /// <summary>Which part of all reads are of these keys; 0 where there were none.</summary>
    public readonly double ReadsRatio
        => _totals.Reads > 0 ? Math.Clamp((_hot + PartReads) / _totals.Reads, 0, 1) : 0;

    private readonly double FirstOff => _totals.Cold - _allReads;

    private readonly double SecondOff => _totals.ColdMissed - _allMissed;

    /// <summary>Reads of the part but for those of hot keys.</summary>
    private readonly double PartReads
        => Math.Max(0, _reads.Correct(_partReads, FirstOff, SecondOff, _keys).Value);

    /// <summary>Adds the reads of all keys, in the times when keys were drawn for the cache.</summary>
    public void AddTotals(ReadOnlySpan<KeySpan> spans, int cache)
    {
        foreach (var span in spans)
        {
            if (span.ThresholdOf(cache) > 0)
            {
                _totals.Add(span.Totals);
            }
        }
    }

    /// <summary>Adds a key that was drawn.</summary>
    public void Add(in KeySums key, bool isOfPart)
    {
        _keys += key.Reads > 0 ? 1 : 0;
        _allReads += key.Reads;
        _allMissed += key.Missed;
        _partReads += isOfPart ? key.Reads : 0;
        _partMisses += isOfPart ? key.Misses : 0;
        _reads.Add(key.Reads, key.Missed, isOfPart ? key.Reads : 0);
        _misses.Add(key.Reads, key.Missed, isOfPart ? key.Misses : 0);
        _readsByMisses += isOfPart ? key.Reads * key.Misses : 0;
    }

    /// <summary>Adds a hot key of the part.</summary>
    public void AddHot(HotKeyReads hot, ReadOnlySpan<KeySpan> spans, int cache, bool isDay)
    {
        foreach (var span in spans)
        {
            if (span.Number >= 0 && span.ThresholdOf(cache) > 0)
            {
                var (reads, missed) = hot.Of(span.Number, isDay);
                _hot += reads;
                _hotMissed += missed;
            }
        }
    }

    /// <summary>What the cache has found.</summary>
    /// <param name="cache">Which one.</param>
    public readonly CurvePoint PointOf(int cache)
    {
        var (part, ratio, error) = (PartReads, 0.0, 0.0);
        if (_partReads > 0)
        {
            (ratio, error) = MissRatio(part);
        }
        else
        {
            part = 0;
        }

        var all = _hot + part;
        return new CurvePoint(
            TrafficLimits.CurveFactors[cache],
            all == 0 ? double.NaN : 1 - ((_hotMissed + (part * ratio)) / all),
            all == 0 ? double.NaN : error * part / all,
            _keys);
    }

    /// <summary>The part's misses to its reads, but for hot keys. Of few keys chance may have made all alike: they tell
    /// no more than one in so many.</summary>
    /// <param name="part">The reads, as they are corrected.</param>
    private readonly (double Ratio, double Error) MissRatio(double part)
    {
        var ratio = _partMisses / _partReads;
        var linear = new Regression
        {
            FirstFirst = _misses.FirstFirst,
            FirstSecond = _misses.FirstSecond,
            SecondSecond = _misses.SecondSecond,
            FirstValue = _misses.FirstValue - (ratio * _reads.FirstValue),
            SecondValue = _misses.SecondValue - (ratio * _reads.SecondValue),
            ValueValue = _misses.ValueValue - (2 * ratio * _readsByMisses) + (ratio * ratio * _reads.ValueValue),
        };
        var (value, error) = linear.Correct(0, FirstOff, SecondOff, _keys);
        var reads = Math.Max(part, _partReads / 2);
        var alike = _reads.ValueValue / (_partReads * _partReads);
        return (
            Math.Clamp(ratio + (value / reads), 0, 1),
            Math.Sqrt((error * error / (reads * reads)) + (alike * alike)));
    }
}
