using System.Buffers.Binary;
using System.Numerics;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>What stands before a part of a checkpoint.</summary>
/// <param name="Kind">What the part holds.</param>
/// <param name="Shard">The shard that it belongs to; 0 where it belongs to none.</param>
/// <param name="Length">Bytes of the part.</param>
/// <param name="Checksum">Its checksum: CRC-32C of the file's salt, the frame's place in the file, the frame up to the
/// checksum, and the part.</param>
internal readonly record struct CheckpointFrame(CheckpointPart Kind, int Shard, int Length, uint Checksum)
{
    /// <summary>Makes the frame of a part.</summary>
    public static CheckpointFrame Of(
        CheckpointPart kind, int shard, ReadOnlySpan<byte> part, ulong salt, long offset)
    {
        var frame = new CheckpointFrame(kind, shard, part.Length, 0);
        return frame with { Checksum = frame.ChecksumOf(part, salt, offset) };
    }

    /// <summary>Reads a frame.</summary>
    public static CheckpointFrame Read(ReadOnlySpan<byte> bytes) => new(
        (CheckpointPart)BinaryPrimitives.ReadInt32LittleEndian(bytes),
        BinaryPrimitives.ReadInt32LittleEndian(bytes[4..]),
        BinaryPrimitives.ReadInt32LittleEndian(bytes[8..]),
        BinaryPrimitives.ReadUInt32LittleEndian(bytes[12..]));

    /// <summary>Writes it.</summary>
    public void Write(Span<byte> bytes)
    {
        BinaryPrimitives.WriteInt32LittleEndian(bytes, (int)Kind);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[4..], Shard);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[8..], Length);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[12..], Checksum);
    }

    /// <summary>The checksum that it must have.</summary>
    public unsafe uint ChecksumOf(ReadOnlySpan<byte> part, ulong salt, long offset)
    {
        var crc = BitOperations.Crc32C(BitOperations.Crc32C(uint.MaxValue, salt), (ulong)offset);
        crc = BitOperations.Crc32C(crc, (uint)Kind | ((ulong)(uint)Shard << 32));
        crc = BitOperations.Crc32C(crc, (uint)Length);
        fixed (byte* bytes = part)
        {
            return Crc32C.Continue(crc, bytes, part.Length);
        }
    }
}
