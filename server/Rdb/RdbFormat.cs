using System.Buffers.Binary;

namespace Strata.Server.Rdb;

/// <summary>Numbers of Redis's RDB format.</summary>
internal static class RdbFormat
{
    /// <summary>The newest version that is read: Redis 7.4's.</summary>
    public const int NewestVersion = 12;

    /// <summary>The version that is written where nothing needs a newer one: Redis 7.0's.</summary>
    public const int OrdinaryVersion = 10;

    /// <summary>The version of the first Redis that has fields of hashes which expire.</summary>
    public const int VersionOfFieldTimes = 12;

    /// <summary>The version of the first Redis that keeps when a consumer of a stream got something last, beside when
    /// it asked.</summary>
    public const int VersionOfActiveTimes = 11;

    /// <summary>The first version of the format that has functions, which any Redis reads that has them.</summary>
    public const int VersionOfFunctions = 10;

    /// <summary>The version that Valkey begins its own with.</summary>
    public const int ValkeyVersion = 80;

    /// <summary>The version of the first file that ends with a checksum.</summary>
    public const int VersionOfChecksum = 5;

    // What begins a part of a file that is no key.
    public const byte SlotInfo = 244;
    public const byte Function = 245;
    public const byte EarlyFunction = 246;
    public const byte ModuleAux = 247;
    public const byte Idle = 248;
    public const byte Frequency = 249;
    public const byte Aux = 250;
    public const byte Sizes = 251;
    public const byte ExpiryMs = 252;
    public const byte ExpirySeconds = 253;
    public const byte Database = 254;
    public const byte End = 255;

    // What begins a length that does not fit into 14 bits, and a string that is not as it is.
    public const byte Length32 = 0x80;
    public const byte Length64 = 0x81;
    public const byte Integer8 = 0xC0;
    public const byte Integer16 = 0xC1;
    public const byte Integer32 = 0xC2;
    public const byte PackedByLzf = 0xC3;

    /// <summary>The longest string that is looked at whether it is an integer.</summary>
    public const int LongestInteger = 11;

    /// <summary>The longest string that is never packed.</summary>
    public const int LongestUnpacked = 20;

    /// <summary>A node of a list that is one element as it is.</summary>
    public const int PlainNode = 1;

    /// <summary>A node of a list that is a listpack.</summary>
    public const int PackedNode = 2;

    /// <summary>What begins a string of this many bytes.</summary>
    public static byte[] StringHeader(int length)
    {
        Span<byte> header = stackalloc byte[LengthBytes];
        return header[..WriteLength(header, (ulong)length)].ToArray();
    }

    /// <summary>The most bytes of a length.</summary>
    public const int LengthBytes = 1 + sizeof(ulong);

    /// <summary>Writes a length, or another number that is not negative.</summary>
    /// <returns>Bytes written.</returns>
    public static int WriteLength(Span<byte> target, ulong length)
    {
        if (length < 1 << 6)
        {
            target[0] = (byte)length;
            return 1;
        }

        if (length < 1 << 14)
        {
            BinaryPrimitives.WriteUInt16BigEndian(target, (ushort)(length | 0x4000));
            return 2;
        }

        if (length <= uint.MaxValue)
        {
            target[0] = Length32;
            BinaryPrimitives.WriteUInt32BigEndian(target[1..], (uint)length);
            return 1 + sizeof(uint);
        }

        target[0] = Length64;
        BinaryPrimitives.WriteUInt64BigEndian(target[1..], length);
        return 1 + sizeof(ulong);
    }
}
