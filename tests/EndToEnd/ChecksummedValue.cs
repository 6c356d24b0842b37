using System.Buffers.Binary;
using System.Text;

namespace Strata.Tests.EndToEnd;

/// <summary>
/// Values that prove what they are: the key they were written under, their length, filler, and a checksum over all
/// of it. A torn, cut, mixed or foreign value fails <see cref="Problem"/>. (FNV-1a, 64 bits; Fowler, Noll, Vo.)
/// </summary>
internal static class ChecksummedValue
{
    private const int ChecksumBytes = 8;
    private const int LengthBytes = 8;

    public static byte[] Make(string key, int fillerBytes, Random random)
    {
        var name = Encoding.ASCII.GetBytes(key);
        var value = new byte[LengthBytes + name.Length + fillerBytes + ChecksumBytes];
        BinaryPrimitives.WriteInt32LittleEndian(value, value.Length);
        BinaryPrimitives.WriteInt32LittleEndian(value.AsSpan(4), name.Length);
        name.CopyTo(value, LengthBytes);
        random.NextBytes(value.AsSpan(LengthBytes + name.Length, fillerBytes));
        BinaryPrimitives.WriteUInt64LittleEndian(value.AsSpan(value.Length - ChecksumBytes), Checksum(value));
        return value;
    }

    /// <summary>What is wrong with a value that was read under a key; null when nothing is.</summary>
    public static string? Problem(string key, ReadOnlySpan<byte> value)
    {
        if (value.Length < LengthBytes + ChecksumBytes)
        {
            return $"{key}: {value.Length} bytes are too few";
        }

        var length = BinaryPrimitives.ReadInt32LittleEndian(value);
        if (length != value.Length)
        {
            return $"{key}: {value.Length} bytes of a value of {length}";
        }

        if (BinaryPrimitives.ReadUInt64LittleEndian(value[^ChecksumBytes..]) != Checksum(value))
        {
            return $"{key}: the checksum over {value.Length} bytes is wrong";
        }

        var nameLength = BinaryPrimitives.ReadInt32LittleEndian(value[4..]);
        var name = Encoding.ASCII.GetString(value.Slice(LengthBytes, nameLength));
        return name == key ? null : $"{key}: the value of {name}";
    }

    private static ulong Checksum(ReadOnlySpan<byte> value)
    {
        var hash = 14_695_981_039_346_656_037UL;
        foreach (var b in value[..^ChecksumBytes])
        {
            hash = (hash ^ b) * 1_099_511_628_211UL;
        }

        return hash;
    }
}
