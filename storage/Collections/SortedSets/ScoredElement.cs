using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>One element of a sorted set, packed or in a block of its own: its score, then its member as an entry of
/// <see cref="PackedForm"/>. Of a large set, the block stays where it is as long as the element lives.</summary>
internal readonly unsafe struct ScoredElement : IElementKey
{
    // What precedes a member that is longer than one byte tells.
    private const int MaxPrefixBytes = 1 + sizeof(int);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> KeyOf(byte* block) => MemberOf(block);

    /// <summary>The element's score.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ScoreOf(byte* block) => Unsafe.ReadUnaligned<double>(block);

    /// <summary>Sets the element's score.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void SetScore(byte* block, double score) => Unsafe.WriteUnaligned(block, score);

    /// <summary>The element's member.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> MemberOf(byte* block)
    {
        int length = block[sizeof(double)];
        if (length < 254)
        {
            return new ReadOnlySpan<byte>(block + sizeof(double) + 1, length);
        }

        length = Unsafe.ReadUnaligned<int>(block + sizeof(double) + 1);
        return new ReadOnlySpan<byte>(block + sizeof(double) + MaxPrefixBytes, length);
    }

    /// <summary>Bytes of the block of a member.</summary>
    public static int BytesOf(int memberLength) => sizeof(double) + PackedForm.SizeOf(memberLength);

    /// <summary>Bytes of an element that there is.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int BytesOf(byte* block) => sizeof(double) + PackedForm.SizeOf(MemberOf(block).Length);

    /// <summary>Writes an element of <see cref="BytesOf(int)"/> bytes.</summary>
    public static void Write(byte* block, ReadOnlySpan<byte> member, double score)
    {
        SetScore(block, score);
        var entry = new Span<byte>(block + sizeof(double), PackedForm.SizeOf(member.Length));
        _ = PackedForm.Write(entry, member);
    }

    /// <summary>Makes an element in a block of its own.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room.</exception>
    public static byte* Create(SlabHeap heap, ReadOnlySpan<byte> member, double score)
    {
        var block = heap.Allocate(BytesOf(member.Length));
        Write(block, member, score);
        return block;
    }

    /// <summary>Gives the element's block back.</summary>
    public static void Free(SlabHeap heap, byte* block) => heap.Free(block, BytesOf(block));
}
