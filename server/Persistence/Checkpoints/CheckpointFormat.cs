using System.Buffers.Binary;
using Strata.Server.Rdb;
using Strata.Storage.Log;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>The lengths and rows of a checkpoint's parts; docs/DATA_FILE.md has the bytes. All numbers are
/// little-endian.</summary>
internal static class CheckpointFormat
{
    /// <summary>What is written and read.</summary>
    public const int Version = 4;

    /// <summary>Bytes before each part: kind, shard, length, checksum.</summary>
    public const int FrameBytes = 16;

    /// <summary>The most bytes of a part, its frame not counted.</summary>
    public const int MaxPartBytes = 1 << 20;

    public const int PageBytes = 56;
    public const int EntryBytes = 9;
    public const int CountBytes = 28;
    public const int EndBytes = 8;

    private const byte JumboFlag = 1;

    /// <summary>Bytes of a row of a part that has any number of them; 0 of parts that are of one length.</summary>
    public static int RowBytes(CheckpointPart kind) => kind switch
    {
        CheckpointPart.Counts => CountBytes,
        CheckpointPart.Pages => PageBytes,
        CheckpointPart.Entries => EntryBytes,
        CheckpointPart.Rdb => 1,
        _ => 0,
    };

    /// <summary>Appends a page.</summary>
    public static void Write(RdbOutput output, in KeptPage page)
    {
        var row = output.Append(PageBytes);
        BinaryPrimitives.WriteInt32LittleEndian(row, page.Page);
        row[4] = page.Database;
        row[5] = page.IsJumbo ? JumboFlag : (byte)0;
        BinaryPrimitives.WriteUInt16LittleEndian(row[6..], 0);
        BinaryPrimitives.WriteUInt32LittleEndian(row[8..], page.HeadChecksum);
        BinaryPrimitives.WriteInt32LittleEndian(row[12..], page.ExpiringRecords);
        BinaryPrimitives.WriteInt64LittleEndian(row[16..], page.Generation);
        BinaryPrimitives.WriteInt64LittleEndian(row[24..], page.Offset);
        BinaryPrimitives.WriteInt64LittleEndian(row[32..], page.UsedBytes);
        BinaryPrimitives.WriteInt64LittleEndian(row[40..], page.LiveBytes);
        BinaryPrimitives.WriteInt64LittleEndian(row[48..], page.EarliestExpiryMs);
    }

    /// <summary>Reads a page.</summary>
    public static KeptPage ReadPage(ReadOnlySpan<byte> row) => new(
        BinaryPrimitives.ReadInt32LittleEndian(row),
        row[4],
        (row[5] & JumboFlag) != 0,
        BinaryPrimitives.ReadUInt32LittleEndian(row[8..]),
        BinaryPrimitives.ReadInt64LittleEndian(row[16..]),
        BinaryPrimitives.ReadInt64LittleEndian(row[24..]),
        BinaryPrimitives.ReadInt64LittleEndian(row[32..]),
        BinaryPrimitives.ReadInt64LittleEndian(row[40..]),
        BinaryPrimitives.ReadInt32LittleEndian(row[12..]),
        BinaryPrimitives.ReadInt64LittleEndian(row[48..]));

    /// <summary>Appends an entry.</summary>
    public static void Write(RdbOutput output, ulong entry, byte bucketBits)
    {
        var row = output.Append(EntryBytes);
        BinaryPrimitives.WriteUInt64LittleEndian(row, entry);
        row[8] = bucketBits;
    }
}
