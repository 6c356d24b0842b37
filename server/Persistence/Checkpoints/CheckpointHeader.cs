using System.Buffers.Binary;
using Strata.Storage;
using Strata.Storage.Index;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>What a checkpoint says of itself.</summary>
/// <param name="Shards">How many shards the data is in.</param>
/// <param name="SegmentBits">Bytes of a segment as a power of two.</param>
/// <param name="AtMs">Its moment, milliseconds since 1970.</param>
/// <param name="Salt">A random number that all checksums start from.</param>
/// <param name="Secrets">The secrets of the hash.</param>
/// <param name="Numbers">The clients' numbers of the databases by their physical ones.</param>
internal sealed record CheckpointHeader(
    int Shards, int SegmentBits, long AtMs, ulong Salt, ulong[] Secrets, byte[] Numbers)
{
    /// <summary>Bytes of it.</summary>
    public const int Bytes = 32 + (KeyHash.SecretCount * sizeof(ulong)) + Limits.MaxDatabases;

    private const int SecretsAt = 32;
    private const int NumbersAt = SecretsAt + (KeyHash.SecretCount * sizeof(ulong));

    /// <summary>Writes it.</summary>
    public byte[] ToBytes()
    {
        var bytes = new byte[Bytes];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, CheckpointFormat.Version);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), Shards);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(8), SegmentBits);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(12), Limits.MaxPageBits);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(16), AtMs);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(24), Salt);
        for (var i = 0; i < KeyHash.SecretCount; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(SecretsAt + (i * sizeof(ulong))), Secrets[i]);
        }

        Numbers.CopyTo(bytes, NumbersAt);
        return bytes;
    }

    /// <summary>Reads it.</summary>
    /// <returns>Null where it is of another version, or cannot be one.</returns>
    public static CheckpointHeader? Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != Bytes || BinaryPrimitives.ReadInt32LittleEndian(bytes) != CheckpointFormat.Version
            || BinaryPrimitives.ReadInt32LittleEndian(bytes[12..]) != Limits.MaxPageBits)
        {
            return null;
        }

        var secrets = new ulong[KeyHash.SecretCount];
        for (var i = 0; i < secrets.Length; i++)
        {
            secrets[i] = BinaryPrimitives.ReadUInt64LittleEndian(bytes[(SecretsAt + (i * sizeof(ulong)))..]);
        }

        var numbers = bytes.Slice(NumbersAt, Limits.MaxDatabases).ToArray();
        return numbers.Distinct().Count() != numbers.Length ? null : new CheckpointHeader(
            BinaryPrimitives.ReadInt32LittleEndian(bytes[4..]),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]),
            BinaryPrimitives.ReadUInt64LittleEndian(bytes[24..]),
            secrets,
            numbers);
    }
}
