using System.Globalization;
using System.Numerics;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Keys;

/// <summary>
/// SCAN's cursor: in the low bits the shard, above them the bucket cursor in that shard
/// (<see cref="Strata.Storage.Index.HashIndex.NextCursor"/>). Shards are walked in ascending order, so 0 is both the
/// start and the end. Every 64-bit number is a cursor: what is no place in the index leads to some place.
/// </summary>
/// <param name="Shard">Number of the shard.</param>
/// <param name="Bucket">Cursor in it; 0 for its first bucket.</param>
internal readonly record struct ScanCursor(int Shard, ulong Bucket)
{
    /// <summary>Reads a cursor as a client sent it: what C's strtoul takes, but for leading white space.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, ShardMap shards, out ScanCursor cursor)
    {
        var isNumber = TryParse(text, out var number);
        cursor = new ScanCursor((int)(number & (ulong)(shards.Count - 1)), number >> BitsOf(shards));
        return isNumber;
    }

    /// <summary>Reads the number that is a cursor of SCAN, HSCAN, SSCAN or ZSCAN.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out ulong number)
    {
        number = 0;
        var end = text.IndexOf((byte)0); // Redis reads it as a C string.
        text = end < 0 ? text : text[..end];
        var digits = text.Length > 0 && text[0] is (byte)'-' or (byte)'+' ? text[1..] : text;
        if (!text.IsEmpty && !ulong.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out number))
        {
            return false;
        }

        number = digits.Length < text.Length && text[0] == '-' ? 0 - number : number;
        return true;
    }

    /// <summary>The cursor as one number.</summary>
    public long ToNumber(ShardMap shards) => (long)(Bucket << BitsOf(shards)) | (uint)Shard;

    private static int BitsOf(ShardMap shards) => BitOperations.Log2((uint)shards.Count);
}
