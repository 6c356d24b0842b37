using System.Diagnostics;

namespace Strata.Server.Diagnostics;

/// <summary>Rates over the last one to two seconds, out of samples of ever growing counters. One thread samples; any
/// thread may read.</summary>
public sealed class RateMeter
{
    // Redis averages over 16 samples, 100 ms apart.
    private const int Samples = 16;
    private const double SampleSeconds = 0.1;

    private Sample[] _samples = [];

    /// <summary>Commands per second.</summary>
    public double CommandsPerSecond => Rate(static sample => sample.Commands);

    /// <summary>Bytes received per second.</summary>
    public double ReceivedBytesPerSecond => Rate(static sample => sample.ReceivedBytes);

    /// <summary>Bytes sent per second.</summary>
    public double SentBytesPerSecond => Rate(static sample => sample.SentBytes);

    /// <summary>Turns of the workers' loops per second.</summary>
    public double TurnsPerSecond => Rate(static sample => sample.Turns);

    /// <summary>Takes a sample if the last one is old enough.</summary>
    /// <param name="timestamp">Now, in <see cref="Stopwatch"/>'s ticks.</param>
    /// <param name="server">Whose counters are read.</param>
    public void Tick(long timestamp, StrataServer server)
    {
        if (_samples.Length > 0 && Seconds(_samples[^1].Timestamp, timestamp) < SampleSeconds * 0.9)
        {
            return;
        }

        var sample = new Sample(timestamp, 0, 0, 0, 0);
        foreach (var worker in server.Workers)
        {
            sample = sample with
            {
                Commands = sample.Commands + worker.Statistics.Commands,
                ReceivedBytes = sample.ReceivedBytes + worker.ReceivedBytes,
                SentBytes = sample.SentBytes + worker.SentBytes,
                Turns = sample.Turns + worker.Worker.Turns,
            };
        }

        Add(sample);
    }

    internal void Add(Sample sample)
        => Volatile.Write(ref _samples, [.. _samples[Math.Max(0, _samples.Length - Samples + 1)..], sample]);

    private static double Seconds(long from, long to) => (double)(to - from) / Stopwatch.Frequency;

    private double Rate(Func<Sample, long> counter)
    {
        var samples = Volatile.Read(ref _samples);
        return samples.Length < 2
            ? 0
            : (counter(samples[^1]) - counter(samples[0])) / Seconds(samples[0].Timestamp, samples[^1].Timestamp);
    }

    /// <summary>The counters at one moment.</summary>
    internal readonly record struct Sample(
        long Timestamp, long Commands, long ReceivedBytes, long SentBytes, long Turns);
}
