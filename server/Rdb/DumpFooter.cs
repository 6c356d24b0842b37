using System.Buffers.Binary;

namespace Strata.Server.Rdb;

/// <summary>What ends each payload of DUMP and FUNCTION DUMP: the version of the RDB format in two bytes, and in eight
/// the checksum of all before it, the lowest byte first.</summary>
internal static class DumpFooter
{
    /// <summary>Its bytes.</summary>
    public const int Length = 10;

    /// <summary>The footer of a payload.</summary>
    /// <param name="version">The version that it is written in.</param>
    /// <param name="crc">The checksum of all before the footer.</param>
    public static byte[] Make(int version, Crc64 crc)
    {
        var footer = new byte[Length];
        BinaryPrimitives.WriteUInt16LittleEndian(footer, checked((ushort)version));
        crc.Add(footer.AsSpan(0, 2));
        BinaryPrimitives.WriteUInt64LittleEndian(footer.AsSpan(2), crc.Value);
        return footer;
    }

    /// <summary>Whether the version of a payload is known.</summary>
    public static bool IsKnown(ReadOnlySpan<byte> payload)
        => BinaryPrimitives.ReadUInt16LittleEndian(payload[^Length..]) <= RdbFormat.NewestVersion;

    /// <summary>Whether the version of a payload is known, and its checksum is right.</summary>
    /// <param name="payload">A payload with a footer.</param>
    /// <param name="crc">The checksum of all before the footer's.</param>
    public static bool IsRight(ReadOnlySpan<byte> payload, Crc64 crc)
        => IsKnown(payload) && BinaryPrimitives.ReadUInt64LittleEndian(payload[^sizeof(ulong)..]) == crc.Value;

    /// <summary>Takes the footer off.</summary>
    /// <param name="payload">A payload.</param>
    /// <param name="content">What is before the footer.</param>
    /// <returns>False when the version or the checksum is wrong.</returns>
    public static bool TryRemove(ReadOnlySpan<byte> payload, out ReadOnlySpan<byte> content)
    {
        content = default;
        if (payload.Length < Length)
        {
            return false;
        }

        content = payload[..^Length];
        var crc = default(Crc64);
        crc.Add(payload[..^sizeof(ulong)]);
        return IsRight(payload, crc);
    }
}
