using System.Numerics;
using System.Runtime.InteropServices;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>Combines strings bit by bit.</summary>
internal static class BitCombiner
{
    private const int ChunkBytes = 4096;

    /// <summary>
    /// Fills <paramref name="destination"/> with the sources, or a part of them, combined; one that is shorter, or
    /// missing, counts as if zeros followed. The destination may lie where a source does, if both begin at the same
    /// byte: a chunk is written when all sources of it have been read.
    /// </summary>
    /// <param name="operation">What to do; <see cref="BitOperation.Not"/> takes one source.</param>
    /// <param name="sources">At least one; null records count as empty.</param>
    /// <param name="destination">As long as the longest source, or the part.</param>
    /// <param name="offset">Where the part begins, bytes.</param>
    public static void Combine(
        BitOperation operation, ReadOnlySpan<Record> sources, Span<byte> destination, int offset = 0)
    {
        Span<byte> chunk = stackalloc byte[ChunkBytes];
        for (var start = 0; start < destination.Length; start += ChunkBytes)
        {
            var result = chunk[..Math.Min(ChunkBytes, destination.Length - start)];
            var first = Part(sources[0], offset + start, result.Length);
            first.CopyTo(result);
            result[first.Length..].Clear();
            foreach (ref readonly var source in sources[1..])
            {
                Apply(operation, result, Part(source, offset + start, result.Length));
            }

            if (operation == BitOperation.Not)
            {
                Invert(result);
            }

            result.CopyTo(destination[start..]);
        }
    }

    private static ReadOnlySpan<byte> Part(in Record source, int start, int length)
        => start >= source.ValueLength
            ? default
            : source.Value.Slice(start, Math.Min(length, source.ValueLength - start));

    private static void Apply(BitOperation operation, Span<byte> result, ReadOnlySpan<byte> other)
    {
        var shared = result[..other.Length];
        switch (operation)
        {
            case BitOperation.And:
                And(shared, other);
                result[other.Length..].Clear();
                break;
            case BitOperation.Or:
                Or(shared, other);
                break;
            default:
                Xor(shared, other);
                break;
        }
    }

    private static void And(Span<byte> left, ReadOnlySpan<byte> right)
    {
        var vectors = MemoryMarshal.Cast<byte, Vector<byte>>(left);
        var others = MemoryMarshal.Cast<byte, Vector<byte>>(right);
        for (var i = 0; i < vectors.Length; i++)
        {
            vectors[i] &= others[i];
        }

        for (var i = vectors.Length * Vector<byte>.Count; i < left.Length; i++)
        {
            left[i] &= right[i];
        }
    }

    private static void Or(Span<byte> left, ReadOnlySpan<byte> right)
    {
        var vectors = MemoryMarshal.Cast<byte, Vector<byte>>(left);
        var others = MemoryMarshal.Cast<byte, Vector<byte>>(right);
        for (var i = 0; i < vectors.Length; i++)
        {
            vectors[i] |= others[i];
        }

        for (var i = vectors.Length * Vector<byte>.Count; i < left.Length; i++)
        {
            left[i] |= right[i];
        }
    }

    private static void Xor(Span<byte> left, ReadOnlySpan<byte> right)
    {
        var vectors = MemoryMarshal.Cast<byte, Vector<byte>>(left);
        var others = MemoryMarshal.Cast<byte, Vector<byte>>(right);
        for (var i = 0; i < vectors.Length; i++)
        {
            vectors[i] ^= others[i];
        }

        for (var i = vectors.Length * Vector<byte>.Count; i < left.Length; i++)
        {
            left[i] ^= right[i];
        }
    }

    private static void Invert(Span<byte> bytes)
    {
        var vectors = MemoryMarshal.Cast<byte, Vector<byte>>(bytes);
        for (var i = 0; i < vectors.Length; i++)
        {
            vectors[i] = ~vectors[i];
        }

        for (var i = vectors.Length * Vector<byte>.Count; i < bytes.Length; i++)
        {
            bytes[i] = (byte)~bytes[i];
        }
    }
}
