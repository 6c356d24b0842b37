namespace Strata.Server.Diagnostics.Traffic;

/// <summary>
/// The hottest keys of all workers. What they have noted is added up ("Mergeable summaries", Agarwal et al., PODS
/// 2012): a worker that does not watch a key may have met it with the least of the weights it watches. Made where
/// somebody asks, on any thread.
/// </summary>
internal sealed class HotKeyList
{
    // Of a normal distribution so many standard deviations hold 19 of 20.
    private const double Deviations = 2;

    private readonly List<HotKey> _keys = [];

    /// <summary>Adds up what there is.</summary>
    /// <param name="workers">The workers'.</param>
    /// <param name="measure">By what.</param>
    /// <param name="timestamp">The clock's.</param>
    public HotKeyList(IEnumerable<KeyTraffic> workers, HotKeyMeasure measure, long timestamp)
    {
        var sums = new Dictionary<ulong, Sum>();
        var copy = new FrequentKeysCopy();
        var unseen = 0.0;
        foreach (var worker in workers)
        {
            if (worker.TryCopy(measure, timestamp, copy))
            {
                unseen += copy.LeastWeight * copy.PerSecond;
                Add(copy, sums);
            }
        }

        // A rate r of samples that stand for w each, of which those count half that are a half-life h old, has about
        // the variance r w ln2 / 2h, and more while that is short.
        var weight = measure == HotKeyMeasure.Bytes ? TrafficLimits.BytesPerSample : TrafficLimits.AccessesPerSample;
        var variance = weight * Math.Log(2) / (2 * TrafficLimits.HotKeyHalfLife.TotalSeconds)
            * (1 + copy.Unseen) / (1 - copy.Unseen);
        foreach (var (hash, sum) in sums)
        {
            var chance = Deviations * Math.Sqrt(sum.PerSecond * variance);
            _keys.Add(new HotKey(
                hash,
                sum.Bytes,
                sum.Length,
                sum.Database,
                sum.PerSecond - (sum.Error / 2),
                Math.Max(0, sum.PerSecond - sum.Error - chance),
                sum.PerSecond + unseen - sum.Least + chance));
            TotalPerSecond += sum.PerSecond;
        }

        _keys.Sort(static (a, b) => b.PerSecond.CompareTo(a.PerSecond));
    }

    /// <summary>The keys, the hottest first.</summary>
    public IReadOnlyList<HotKey> Keys => _keys;

    /// <summary>What all keys have together, those that are not watched, too.</summary>
    public double TotalPerSecond { get; }

    private static void Add(FrequentKeysCopy copy, Dictionary<ulong, Sum> sums)
    {
        for (var i = 0; i < copy.Keys.Length; i++)
        {
            ref readonly var key = ref copy.Keys[i];
            if (!sums.TryGetValue(key.Hash, out var sum))
            {
                sum = new Sum(copy.BytesOf(i).ToArray(), key.Length, key.Database);
                sums.Add(key.Hash, sum);
            }

            sum.PerSecond += key.Weight * copy.PerSecond;
            sum.Error += key.Error * copy.PerSecond;
            sum.Least += copy.LeastWeight * copy.PerSecond;
        }
    }

    private sealed class Sum(byte[] bytes, int length, byte database)
    {
        public byte[] Bytes => bytes;

        public int Length => length;

        public byte Database => database;

        public double PerSecond { get; set; }

        public double Error { get; set; }

        /// <summary>The least weights of the workers that watch the key.</summary>
        public double Least { get; set; }
    }
}
