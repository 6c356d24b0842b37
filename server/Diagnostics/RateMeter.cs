using System.Diagnostics;

namespace Strata.Server.Diagnostics;

/// <summary>Rates over the last one to two seconds, out of samples of ever growing counters. One thread samples,
/// without allocating; any thread may read.</summary>
public sealed class RateMeter
{
    // Redis averages over 16 samples, 100 ms apart. The ring has twice as many, so that the samples a reader looks at
    // are not written again for more than a second.
    private const int Window = 16;
    private const double SampleSeconds = 0.1;

    private readonly Sample[] _ring = new Sample[Window * 2];
    private int _count;

    /// <summary>Commands per second.</summary>
    public double CommandsPerSecond => Rate(static sample => sample.Commands);

    /// <summary>Bytes received per second.</summary>
    public double ReceivedBytesPerSecond => Rate(static sample => sample.ReceivedBytes);

    /// <summary>Bytes sent per second.</summary>
    public double SentBytesPerSecond => Rate(static sample => sample.SentBytes);

    /// <summary>Turns of the workers' loops per second.</summary>
    public double TurnsPerSecond => Rate(static sample => sample.Turns);

    /// <summary>How long one turn took in the mean, microseconds, without waiting.</summary>
    public double MicrosecondsPerTurn
    {
        get
        {
            var turns = TurnsPerSecond;
            return turns > 0 ? Rate(static sample => sample.TurnTicks) / turns * 1e6 / Stopwatch.Frequency : 0;
        }
    }

    /// <summary>Takes a sample if the last one is old enough.</summary>
    /// <param name="timestamp">Now, in <see cref="Stopwatch"/>'s ticks.</param>
    /// <param name="workers">Whose counters are read.</param>
    public void Tick(long timestamp, IReadOnlyList<WorkerCounters> workers)
    {
        if (_count > 0 && Seconds(_ring[(_count - 1) % _ring.Length].Timestamp, timestamp) < SampleSeconds * 0.9)
        {
            return;
        }

        var sample = new Sample { Timestamp = timestamp };
        for (var i = 0; i < workers.Count; i++)
        {
            var (worker, statistics, _) = workers[i];
            sample.Commands += statistics.Commands;
            sample.ReceivedBytes += worker.ReceivedBytes;
            sample.SentBytes += worker.SentBytes;
            sample.Turns += worker.Worker.Turns;
            sample.TurnTicks += worker.Worker.TurnTicks;
        }

        Add(sample);
    }

    internal void Add(in Sample sample)
    {
        _ring[_count % _ring.Length] = sample;
        Volatile.Write(ref _count, _count + 1);
    }

    private static double Seconds(long from, long to) => (double)(to - from) / Stopwatch.Frequency;

    private double Rate(Func<Sample, long> counter)
    {
        var count = Volatile.Read(ref _count);
        if (count < 2)
        {
            return 0;
        }

        var first = _ring[Math.Max(0, count - Window) % _ring.Length];
        var last = _ring[(count - 1) % _ring.Length];
        return (counter(last) - counter(first)) / Seconds(first.Timestamp, last.Timestamp);
    }

    /// <summary>The counters at one moment.</summary>
    internal struct Sample
    {
        public long Timestamp;
        public long Commands;
        public long ReceivedBytes;
        public long SentBytes;
        public long Turns;
        public long TurnTicks;
    }
}
