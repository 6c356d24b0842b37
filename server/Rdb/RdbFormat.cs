using System.Buffers.Binary;

namespace Strata.Server.Rdb;

/// <summary>What Redis's RDB format has of functions.</summary>
internal static class RdbFormat
{
    /// <summary>A library of functions follows, as a string: since Redis 7.0.</summary>
    public const byte Function = 245;

    /// <summary>Likewise, as the release candidates of 7.0 wrote it.</summary>
    public const byte EarlyFunction = 246;

    /// <summary>The first version of the format that has functions, which any Redis reads that has them.</summary>
    public const int VersionOfFunctions = 10;

    /// <summary>What begins a string of this many bytes.</summary>
    public static byte[] StringHeader(int length)
    {
        if (length < 1 << 6)
        {
            return [(byte)length];
        }

        if (length < 1 << 14)
        {
            return [(byte)((length >> 8) | 0x40), (byte)length];
        }

        var header = new byte[5];
        header[0] = 0x80;
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(1), length);
        return header;
    }
}
