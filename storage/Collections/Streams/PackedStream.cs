using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// A stream as the value of one record.
/// <code>
/// 0   int   number of entries, as PackedForm has it; the top bit says that groups follow
/// 4   int   number of blocks; the top bit says that a consumer was seen at another time than it got something
/// 8   56    StreamMeta
/// 64        blocks (StreamBlock), one behind the other
/// then, if there are groups, their number (8 bytes), and for each
///     16  last id      8  entries read      8  entries pending      8  consumers      name
///     and for each consumer
///         8  seen      8  active      8  entries pending      name
///         and for each of these: 16  id      8  delivered at      8  deliveries
/// </code>
/// Names are entries of <see cref="PackedForm"/>. Numbers are little-endian. One that is not frozen has one block at
/// most, and no groups.
/// </summary>
internal static unsafe class PackedStream
{
    /// <summary>Bytes in front of the first block.</summary>
    public const int HeaderBytes = (2 * sizeof(int)) + MetaBytes;

    /// <summary>Bytes that groups take by being there.</summary>
    public const int GroupCountBytes = sizeof(long);

    /// <summary>Bytes of a pending entry.</summary>
    public const int PendingBytes = IdBytes + (2 * sizeof(long));

    private const int IdBytes = 16;
    private const int MetaBytes = (3 * IdBytes) + sizeof(long);
    private const int GroupBytes = IdBytes + (3 * sizeof(long));
    private const int ConsumerBytes = 3 * sizeof(long);
    private const int UnevenBit = int.MinValue;

    /// <summary>Bytes of a group with a name of so many, but for its consumers.</summary>
    public static long BytesOfGroup(int nameLength) => GroupBytes + (long)PackedForm.SizeOf(nameLength);

    /// <summary>Bytes of a consumer with a name of so many, but for what is pending.</summary>
    public static long BytesOfConsumer(int nameLength) => ConsumerBytes + (long)PackedForm.SizeOf(nameLength);

    /// <summary>What the stream knows beside its entries.</summary>
    public static StreamMeta* MetaOf(byte* packed) => (StreamMeta*)(packed + (2 * sizeof(int)));

    /// <summary>Entries.</summary>
    public static int CountOf(byte* packed) => Unsafe.ReadUnaligned<int>(packed) & int.MaxValue;

    /// <summary>Blocks.</summary>
    public static int BlocksOf(byte* packed) => Unsafe.ReadUnaligned<int>(packed + sizeof(int)) & int.MaxValue;

    /// <summary>Whether a consumer was seen at another time than it got something.</summary>
    public static bool IsUneven(byte* packed) => Unsafe.ReadUnaligned<int>(packed + sizeof(int)) < 0;

    /// <summary>The block of a stream that is not frozen, or null.</summary>
    public static StreamBlock* BlockOf(byte* packed)
        => BlocksOf(packed) == 0 ? null : (StreamBlock*)(packed + HeaderBytes);

    /// <summary>Sets the numbers of a stream without groups.</summary>
    public static void SetCounts(byte* packed, int count, int blocks)
    {
        Unsafe.WriteUnaligned(packed, count);
        Unsafe.WriteUnaligned(packed + sizeof(int), blocks);
    }

    /// <summary>Writes what stands in front.</summary>
    public static void WriteHeader(Span<byte> target, StreamRoot* root)
    {
        PackedForm.SetCount(target, checked((int)root->Count));
        MemoryMarshal.Write(
            target[sizeof(int)..], (int)root->Blocks.Count | (root->UnevenConsumers > 0 ? UnevenBit : 0));
        MemoryMarshal.Write(target[(2 * sizeof(int))..], root->Meta);
        if (root->Groups.Count > 0)
        {
            PackedForm.SetTrailer(target);
        }
    }

    /// <summary>Writes the number of groups.</summary>
    /// <returns>Bytes written.</returns>
    public static int WriteGroupCount(Span<byte> target, long groups)
    {
        MemoryMarshal.Write(target, groups);
        return GroupCountBytes;
    }

    /// <summary>Writes a part.</summary>
    /// <returns>Bytes written.</returns>
    public static int Write(Span<byte> target, in StreamPart part)
    {
        switch (part.Kind)
        {
            case StreamPartKind.Block:
                new ReadOnlySpan<byte>(part.Block, part.Block->Bytes).CopyTo(target);
                fixed (byte* block = target)
                {
                    ((StreamBlock*)block)->Capacity = 0; // It has none here.
                }

                return part.Block->Bytes;
            case StreamPartKind.Group:
                MemoryMarshal.Write(target, part.Id);
                Write(target[IdBytes..], part.EntriesRead, part.PendingCount, part.ConsumerCount);
                return GroupBytes + PackedForm.Write(target[GroupBytes..], part.Name);
            case StreamPartKind.Consumer:
                Write(target, part.SeenMs, part.ActiveMs, part.PendingCount);
                return ConsumerBytes + PackedForm.Write(target[ConsumerBytes..], part.Name);
            default:
                MemoryMarshal.Write(target, part.Id);
                MemoryMarshal.Write(target[IdBytes..], part.DeliveredMs);
                MemoryMarshal.Write(target[(IdBytes + sizeof(long))..], part.Deliveries);
                return PendingBytes;
        }
    }

    /// <summary>Reads a group.</summary>
    public static StreamPart ReadGroup(ReadOnlySpan<byte> packed, scoped ref int offset)
    {
        var fixedPart = packed.Slice(offset, GroupBytes);
        offset += GroupBytes;
        return new StreamPart(StreamPartKind.Group)
        {
            Id = MemoryMarshal.Read<StreamId>(fixedPart),
            EntriesRead = MemoryMarshal.Read<long>(fixedPart[IdBytes..]),
            PendingCount = MemoryMarshal.Read<long>(fixedPart[(IdBytes + sizeof(long))..]),
            ConsumerCount = MemoryMarshal.Read<long>(fixedPart[(IdBytes + (2 * sizeof(long)))..]),
            Name = PackedForm.Read(packed, ref offset),
        };
    }

    /// <summary>Reads a consumer.</summary>
    public static StreamPart ReadConsumer(ReadOnlySpan<byte> packed, scoped ref int offset)
    {
        var fixedPart = packed.Slice(offset, ConsumerBytes);
        offset += ConsumerBytes;
        return new StreamPart(StreamPartKind.Consumer)
        {
            SeenMs = MemoryMarshal.Read<long>(fixedPart),
            ActiveMs = MemoryMarshal.Read<long>(fixedPart[sizeof(long)..]),
            PendingCount = MemoryMarshal.Read<long>(fixedPart[(2 * sizeof(long))..]),
            Name = PackedForm.Read(packed, ref offset),
        };
    }

    /// <summary>Reads a pending entry.</summary>
    public static StreamPart ReadPending(ReadOnlySpan<byte> packed, scoped ref int offset)
    {
        var part = packed.Slice(offset, PendingBytes);
        offset += PendingBytes;
        return new StreamPart(StreamPartKind.Pending)
        {
            Id = MemoryMarshal.Read<StreamId>(part),
            DeliveredMs = MemoryMarshal.Read<long>(part[IdBytes..]),
            Deliveries = MemoryMarshal.Read<long>(part[(IdBytes + sizeof(long))..]),
        };
    }

    private static void Write(Span<byte> target, long first, long second, long third)
    {
        MemoryMarshal.Write(target, first);
        MemoryMarshal.Write(target[sizeof(long)..], second);
        MemoryMarshal.Write(target[(2 * sizeof(long))..], third);
    }
}
