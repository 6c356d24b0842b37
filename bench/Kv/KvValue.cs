using System.Runtime.InteropServices;
using Strata.Bench.Keys;

namespace Strata.Bench.Kv;

/// <summary>
/// Values that say whose they are: the key's number, a version, and bytes that follow from both, so that a value of
/// another key, an older one, or one of two halves is found out.
/// </summary>
internal static class KvValue
{
    /// <summary>Bytes of the number and the version.</summary>
    public const int MinBytes = 16;

    private const int WordBytes = sizeof(ulong);

    public static void Fill(Span<byte> value, long number, long version)
    {
        MemoryMarshal.Write(value, number);
        MemoryMarshal.Write(value[WordBytes..], version);
        var rest = value[MinBytes..];
        var random = BytesOf(number, version);
        foreach (ref var word in MemoryMarshal.Cast<byte, ulong>(rest))
        {
            word = random.Next();
        }

        var last = random.Next();
        foreach (ref var part in rest[(rest.Length & -WordBytes)..])
        {
            part = (byte)last;
            last >>= 8;
        }
    }

    /// <summary>The version of a value of <see cref="MinBytes"/> or more.</summary>
    public static long VersionOf(ReadOnlySpan<byte> value) => MemoryMarshal.Read<long>(value[WordBytes..]);

    /// <summary>Whether a value is, in all its bytes, the one of a key and version.</summary>
    public static bool IsRight(ReadOnlySpan<byte> value, long number, long version)
    {
        if (value.Length < MinBytes || MemoryMarshal.Read<long>(value) != number || VersionOf(value) != version)
        {
            return false;
        }

        var rest = value[MinBytes..];
        var random = BytesOf(number, version);
        foreach (var word in MemoryMarshal.Cast<byte, ulong>(rest))
        {
            if (word != random.Next())
            {
                return false;
            }
        }

        var last = random.Next();
        foreach (var part in rest[(rest.Length & -WordBytes)..])
        {
            if (part != (byte)last)
            {
                return false;
            }

            last >>= 8;
        }

        return true;
    }

    private static SplitMix64 BytesOf(long number, long version)
        => new(SplitMix64.Mix((ulong)number) ^ ((ulong)version * 0x9E3779B97F4A7C15));
}
