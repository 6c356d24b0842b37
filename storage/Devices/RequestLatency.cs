using System.Numerics;

namespace Strata.Storage.Devices;

/// <summary>How long requests of one kind took, counted by powers of two of nanoseconds. One thread adds, any thread
/// reads.</summary>
public sealed class RequestLatency
{
    // 2^40 ns, some 18 minutes, and everything longer fall into the last.
    private const int Buckets = 41;

    private readonly long[] _counts = new long[Buckets];
    private long _nanoseconds;

    /// <summary>The time of all together, nanoseconds.</summary>
    public long Nanoseconds => Volatile.Read(ref _nanoseconds);

    /// <summary>All of them.</summary>
    public long Count => CountBelow(Buckets);

    /// <summary>Counts a request.</summary>
    /// <param name="nanoseconds">How long it took.</param>
    public void Add(long nanoseconds)
    {
        var taken = Math.Max(0, nanoseconds);
        _counts[Math.Min(BitOperations.Log2((ulong)taken | 1), Buckets - 1)]++;
        Volatile.Write(ref _nanoseconds, _nanoseconds + taken);
    }

    /// <summary>Those that took less than 2 to the power of <paramref name="bits"/> nanoseconds.</summary>
    public long CountBelow(int bits)
    {
        var count = 0L;
        foreach (ref var bucket in _counts.AsSpan(0, bits))
        {
            count += Volatile.Read(ref bucket);
        }

        return count;
    }
}
