using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>One element of a large sorted set: a block of its score, then its member as an entry of <see
/// cref="PackedForm"/>. The block stays where it is as long as the element lives.</summary>
internal static unsafe class ScoredElement
{
    // The longest entry prefix; a block is read through a span that begins at its entry.
    private const int MaxPrefixBytes = 1 + sizeof(int);

    /// <summary>The element's score.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ScoreOf(byte* block) => *(double*)block;

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
    public static int BytesOf(int memberLength) => checked(sizeof(double) + PackedForm.SizeOf(memberLength));

    /// <summary>Makes an element.</summary>
    /// <exception cref="MemoryExhaustedException">The heap has no room.</exception>
    public static byte* Create(SlabHeap heap, ReadOnlySpan<byte> member, double score)
    {
        var bytes = BytesOf(member.Length);
        var block = heap.Allocate(bytes);
        *(double*)block = score;
        _ = PackedForm.Write(new Span<byte>(block + sizeof(double), bytes - sizeof(double)), member);
        return block;
    }

    /// <summary>Gives the element's block back.</summary>
    public static void Free(SlabHeap heap, byte* block) => heap.Free(block, BytesOf(MemberOf(block).Length));
}
