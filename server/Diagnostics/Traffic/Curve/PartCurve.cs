namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// The curve of a part of the keys: those of a database, or of a prefix. The keys that were drawn are added up one by
/// one; what all keys that were drawn have too many of reads, or of the server's own misses, is taken off by as much as
/// the part goes with it (<see cref="Regression"/>). So of a part that is all keys it says what the whole curve does.
/// </summary>
internal sealed class PartCurve
{
    private readonly CurveSimulation _simulation;
    private readonly int _database;
    private readonly byte[] _prefix;
    private readonly PartSums[] _hour;
    private readonly PartSums[] _day;

    /// <summary>Nothing was added yet.</summary>
    /// <param name="simulation">What it is made from.</param>
    /// <param name="database">The one database, by its physical number; -1 for all.</param>
    /// <param name="prefix">What the keys begin with.</param>
    public PartCurve(CurveSimulation simulation, int database, byte[] prefix)
    {
        _simulation = simulation;
        _database = database;
        _prefix = prefix;
        _hour = new PartSums[simulation.Caches];
        _day = new PartSums[simulation.Caches];
        for (var cache = 0; cache < simulation.Caches; cache++)
        {
            _hour[cache].AddTotals(simulation.Keys.Hour, cache);
            _day[cache].AddTotals(simulation.Keys.Day, cache);
        }
    }

    /// <summary>The curve of the last hour.</summary>
    public IEnumerable<CurvePoint> Hour => _hour.Select(static (sums, cache) => sums.PointOf(cache));

    /// <summary>The curve of the last day.</summary>
    public IEnumerable<CurvePoint> Day => _day.Select(static (sums, cache) => sums.PointOf(cache));

    /// <summary>Which part of the last hour's reads are of these keys.</summary>
    public double ReadsRatio => _hour.Max(static sums => sums.ReadsRatio);

    /// <summary>How many keys of the part it was found out with.</summary>
    public int Keys { get; private set; }

    /// <summary>Adds a key that was drawn.</summary>
    /// <param name="index">Its number.</param>
    /// <param name="mayTell">Whether it may be told of a key.</param>
    public void Add(int index, Func<ReadOnlySpan<byte>, bool, bool> mayTell)
    {
        var keys = _simulation.Keys;
        var hash = keys.HashOf(index);
        if (hash == 0)
        {
            return; // It was given up meanwhile.
        }

        var name = keys.NameOf(index);
        var isOfPart = Has(name.Database, name.Bytes) && mayTell(name.Bytes, name.IsWhole);
        Keys += isOfPart ? 1 : 0;
        for (var cache = 0; cache < _hour.Length; cache++)
        {
            _hour[cache].Add(KeySums.Of(keys.Hour, index, hash, cache), isOfPart);
            _day[cache].Add(KeySums.Of(keys.Day, index, hash, cache), isOfPart);
        }
    }

    /// <summary>Adds a key that is hot.</summary>
    public void AddHot(HotKeyReads hot, Func<ReadOnlySpan<byte>, bool, bool> mayTell)
    {
        if (!Has(hot.Key.Database, hot.Key.Bytes) || !mayTell(hot.Key.Bytes, hot.Key.IsWhole))
        {
            return;
        }

        for (var cache = 0; cache < _hour.Length; cache++)
        {
            _hour[cache].AddHot(hot, _simulation.Keys.Hour, cache, isDay: false);
            _day[cache].AddHot(hot, _simulation.Keys.Day, cache, isDay: true);
        }
    }

    private bool Has(byte database, ReadOnlySpan<byte> name)
        => (_database < 0 || database == _database) && name.StartsWith(_prefix);
}
