namespace Strata.Server.Diagnostics.Keyspace;

/// <summary>What is added up of a prefix's keys, or a database's.</summary>
internal sealed class PrefixSum
{
    private Measured _keys;
    private Measured _memory;
    private Measured _disk;

    // Of each key that was drawn by chance, what it adds to variances.
    private double _chance;

    /// <summary>Keys that were added.</summary>
    public int Seen { get; private set; }

    /// <summary>Keys that those stand for that were drawn.</summary>
    public double Drawn => _keys.Drawn;

    /// <summary>Adds a key that is known whatever was drawn.</summary>
    public void AddKnown(long memory, long disk)
    {
        Seen++;
        _keys.Known++;
        _memory.Known += memory;
        _disk.Known += disk;
    }

    /// <summary>Adds a key that was drawn.</summary>
    /// <param name="memory">Bytes of memory that it takes.</param>
    /// <param name="disk">Bytes on the device.</param>
    /// <param name="rate">With what chance it was.</param>
    public void AddDrawn(long memory, long disk, double rate)
    {
        Seen++;
        var chance = (1 - rate) / (rate * rate);
        _chance += chance;
        _keys.Add(1, rate, chance);
        _memory.Add(memory, rate, chance);
        _disk.Add(disk, rate, chance);
    }

    /// <summary>What all keys of the prefix take together.</summary>
    /// <param name="prefix">The prefix.</param>
    /// <param name="database">Its physical database.</param>
    /// <param name="all">What was added of the database.</param>
    /// <param name="keys">How many keys the database has that could be drawn, where all of these can be known; 0 where
    /// not.</param>
    public PrefixShare Share(byte[] prefix, byte database, PrefixSum all, double keys)
        => new(
            prefix,
            database,
            Seen,
            Of(_keys, all, keys),
            Of(_memory, all, keys),
            Of(_disk, all, keys));

    /// <summary>What they take, in memory and on the device: the most likely.</summary>
    /// <inheritdoc cref="Share"/>
    public double Bytes(PrefixSum all, double keys) => Of(_memory, all, keys).Value + Of(_disk, all, keys).Value;

    /// <summary>Nothing was added.</summary>
    public void Clear()
    {
        (Seen, _chance) = (0, 0);
        _keys = _memory = _disk = default;
    }

    /// <summary>Where it is known how many keys there are the sums are brought to that number (a ratio estimate;
    /// Cochran, Sampling Techniques, ch. 6): what varies is only how a key differs from the mean of all.</summary>
    private static Estimate Of(in Measured measured, PrefixSum all, double keys)
    {
        if (keys <= 0 || all.Drawn <= 0)
        {
            return Estimate.Of(measured.Known, measured.Drawn, measured.Squares);
        }

        var factor = keys / all.Drawn;
        var mean = measured.Drawn / all.Drawn;
        var variance = measured.Squares - (2 * mean * measured.Products) + (mean * mean * all._chance);
        return Estimate.Of(measured.Known, factor * measured.Drawn, factor * factor * Math.Max(0, variance));
    }

    /// <summary>One figure of the keys.</summary>
    private struct Measured
    {
        public double Known;
        public double Drawn;
        public double Products;
        public double Squares;

        public void Add(double value, double rate, double chance)
        {
            Drawn += value / rate;
            Products += value * chance;
            Squares += value * value * chance;
        }
    }
}
