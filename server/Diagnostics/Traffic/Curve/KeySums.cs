namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>What became of the reads of one key that was drawn, for all keys that it stands for.</summary>
/// <param name="Reads">How many there were.</param>
/// <param name="Missed">Those that the server itself has missed.</param>
/// <param name="Misses">Those that a cache has missed.</param>
internal readonly record struct KeySums(double Reads, double Missed, double Misses)
{
    /// <summary>Adds up what was counted of a key while it was drawn for a cache.</summary>
    public static KeySums Of(ReadOnlySpan<KeySpan> spans, int index, ulong hash, int cache)
    {
        var (reads, missed, misses) = (0.0, 0.0, 0.0);
        foreach (var span in spans)
        {
            var threshold = span.ThresholdOf(cache);
            if (span.WasRead(index) && MiniCache.NumberOf(hash) < threshold)
            {
                var counts = span.CountsOf(index, out var unit);
                var weight = unit * uint.MaxValue / threshold;
                reads += weight * counts[0];
                missed += weight * counts[1];
                misses += weight * counts[KeyReads.FirstMisses + cache];
            }
        }

        return new KeySums(reads, missed, misses);
    }
}
