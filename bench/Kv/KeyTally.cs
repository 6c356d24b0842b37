using System.Globalization;
using Strata.Bench.Keys;
using Strata.Bench.Load;

namespace Strata.Bench.Kv;

/// <summary>How often each key was drawn. One thread owns a tally; <see cref="Add"/> merges.</summary>
internal sealed class KeyTally(long keys)
{
    private readonly long[] _drawn = new long[keys];

    public void Count(long key) => _drawn[key]++;

    public void Add(KeyTally other)
    {
        for (var key = 0L; key < _drawn.LongLength; key++)
        {
            _drawn[key] += other._drawn[key];
        }
    }

    /// <summary>Writes a line for each rank, from 1, which the law of the distribution makes the most popular: rank,
    /// key, and how often it was drawn.</summary>
    /// <exception cref="BenchException">The file cannot be written.</exception>
    public void Save(string path, KeyDistribution distribution)
    {
        var scrambler = new KeyScrambler(_drawn.LongLength);
        try
        {
            using var writer = new StreamWriter(path);
            writer.WriteLine("rank,key,drawn");
            for (var rank = 0L; rank < _drawn.LongLength; rank++)
            {
                var key = distribution == KeyDistribution.Zipf ? scrambler.KeyOf(rank) : rank;
                writer.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{rank + 1},{key},{_drawn[key]}"));
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BenchException($"Cannot write {path}: {e.Message}", e);
        }
    }
}
