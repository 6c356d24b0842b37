namespace Strata.Bench.Keys;

/// <summary>
/// Spreads popularity ranks over the key space, so that the hottest keys are not neighbours. One-to-one: key = rank ×
/// step mod n, with the step near n's golden section and coprime to n, so every key has exactly one rank.
/// </summary>
internal sealed class KeyScrambler
{
    private readonly ulong _keys;
    private readonly ulong _step;

    public KeyScrambler(long keys)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(keys);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(keys, uint.MaxValue);
        _keys = (ulong)keys;
        _step = Math.Max(1, (ulong)(keys * 0.6180339887498949));
        while (GreatestCommonDivisor(_step, _keys) != 1)
        {
            _step++;
        }
    }

    /// <summary>The key of a rank in [0, keys).</summary>
    public long KeyOf(long rank) => (long)((ulong)rank * _step % _keys);

    private static ulong GreatestCommonDivisor(ulong a, ulong b)
    {
        while (b != 0)
        {
            (a, b) = (b, a % b);
        }

        return a;
    }
}
