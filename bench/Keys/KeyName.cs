namespace Strata.Bench.Keys;

/// <summary>How a key's number is written: a four-byte prefix and nine digits, 13 bytes, for every key alike.</summary>
internal static class KeyName
{
    public const int DigitCount = 9;
    public const int PrefixBytes = 4;
    public const int SizeBytes = PrefixBytes + DigitCount;
    public const long MaxKeys = 1_000_000_000;

    /// <summary>Prefix of keys that hold values.</summary>
    public const string ValuePrefix = "key:";

    /// <summary>Prefix of the keys that INCR counts in: the others don't hold numbers.</summary>
    public const string CounterPrefix = "ctr:";

    /// <summary>Writes the digits alone, where a template already holds the prefix.</summary>
    public static void WriteDigits(Span<byte> destination, long key)
    {
        for (var i = DigitCount - 1; i >= 0; i--)
        {
            (key, var digit) = Math.DivRem(key, 10);
            destination[i] = (byte)('0' + digit);
        }
    }
}
