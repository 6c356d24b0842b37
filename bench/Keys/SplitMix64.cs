namespace Strata.Bench.Keys;

/// <summary>
/// A seeded generator of 64-bit numbers: the same seed gives the same traffic on every machine, at about a nanosecond a
/// number. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA '14.
/// </summary>
internal struct SplitMix64(ulong seed)
{
    private ulong _state = seed;

    /// <summary>The mixing function alone: a bijection that spreads neighbouring inputs over all 64 bits.</summary>
    public static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }

    public ulong Next()
    {
        _state += 0x9E3779B97F4A7C15;
        return Mix(_state);
    }

    /// <summary>Uniform in [0, 1), with 53 random bits.</summary>
    public double NextDouble() => (Next() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Uniform in [0, <paramref name="bound"/>), by multiplication instead of division.</summary>
    public long NextBelow(long bound) => (long)Math.BigMul(Next(), (ulong)bound, out _);
}
