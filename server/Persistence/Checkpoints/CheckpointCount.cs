using System.Buffers.Binary;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>How many keys a database had in a shard at a checkpoint's moment.</summary>
/// <param name="Shard">The shard.</param>
/// <param name="Database">The database, by its physical number.</param>
/// <param name="Keys">Its keys, those with them whose time has come.</param>
/// <param name="Expiring">Those of them that expire.</param>
/// <param name="TimeLeftMs">The times that those had left, added up.</param>
internal readonly record struct CheckpointCount(int Shard, byte Database, long Keys, long Expiring, long TimeLeftMs)
{
    /// <summary>Writes a row.</summary>
    public void Write(Span<byte> row)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(row, (ushort)Shard);
        BinaryPrimitives.WriteUInt16LittleEndian(row[2..], Database);
        BinaryPrimitives.WriteInt64LittleEndian(row[4..], Keys);
        BinaryPrimitives.WriteInt64LittleEndian(row[12..], Expiring);
        BinaryPrimitives.WriteInt64LittleEndian(row[20..], TimeLeftMs);
    }

    /// <summary>Reads a row.</summary>
    public static CheckpointCount Read(ReadOnlySpan<byte> row) => new(
        BinaryPrimitives.ReadUInt16LittleEndian(row),
        (byte)BinaryPrimitives.ReadUInt16LittleEndian(row[2..]),
        BinaryPrimitives.ReadInt64LittleEndian(row[4..]),
        BinaryPrimitives.ReadInt64LittleEndian(row[12..]),
        BinaryPrimitives.ReadInt64LittleEndian(row[20..]));
}
