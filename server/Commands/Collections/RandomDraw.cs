using System.Buffers;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Collections;

/// <summary>
/// What HRANDFIELD, SRANDMEMBER and ZRANDMEMBER do: <c>key [count [WITHVALUES]]</c>. No count: one element. A count:
/// so many different ones; a negative one: so many, which may be the same.
/// </summary>
internal readonly unsafe struct RandomDraw
{
    private const int CountIndex = 2;
    private const int WordIndex = 3;

    // More than this part of a table is found by going over all of it.
    private const int LargeShare = 3;

    // More than these are found that way, too, since drawing remembers what was drawn.
    private const int MaxRemembered = 1 << 20;

    // What more elements would need as a reply, at 4 bytes at least, is beyond any reply.
    private const long MaxRepeated = int.MaxValue / 4;

    private readonly bool _isCounted;
    private readonly bool _withValues;
    private readonly long _count;

    private RandomDraw(long count, bool withValues)
    {
        _isCounted = true;
        _withValues = withValues;
        _count = count;
    }

    /// <summary>Reads the arguments after the key; answers Redis's error when they are wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="valuesWord">The word that asks for values too, in lower case; empty where there is none.</param>
    /// <param name="draw">What is asked for.</param>
    public static bool TryParse(CommandContext context, ReadOnlySpan<byte> valuesWord, out RandomDraw draw)
    {
        draw = default;
        if (context.Count <= CountIndex)
        {
            return true;
        }

        if (valuesWord.IsEmpty && context.Count > WordIndex)
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        if (!context.TryInteger(CountIndex, out var count))
        {
            return false;
        }

        if (count == long.MinValue)
        {
            context.Reply.Error(
                "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807"u8);
            return false;
        }

        var withValues = context.Count > WordIndex;
        if (withValues && (context.Count > WordIndex + 1 || !context.IsWord(WordIndex, valuesWord)))
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        if (withValues && Math.Abs(count) > long.MaxValue / 2)
        {
            context.Reply.Error("ERR value is out of range"u8);
            return false;
        }

        draw = new RandomDraw(count, withValues);
        return true;
    }

    /// <summary>The answer for a key that is not there.</summary>
    public void WriteEmpty(CommandContext context)
    {
        if (_isCounted)
        {
            context.Reply.Array(0);
        }
        else
        {
            context.Reply.Null();
        }
    }

    /// <summary>Answers elements of a collection that is not empty.</summary>
    public void Execute<TSource>(CommandContext context, in TSource source)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (!_isCounted)
        {
            source.WriteName(context.Reply, DrawOne(context, source));
        }
        else if (_count < 0)
        {
            WriteRepeated(context, source);
        }
        else
        {
            WriteDifferent(context, source);
        }
    }

    private static nint DrawOne<TSource>(CommandContext context, in TSource source)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (source.Table != null)
        {
            return (nint)source.Table->Draw(context.Random);
        }

        var position = 0;
        for (var skipped = context.Random.NextInt64(source.Count); skipped > 0; skipped--)
        {
            _ = source.TryNext(ref position, out _);
        }

        _ = source.TryNext(ref position, out var element);
        return element;
    }

    private void WriteRepeated<TSource>(CommandContext context, in TSource source)
        where TSource : struct, IElementSource, allows ref struct
    {
        var count = -_count;
        if (count > MaxRepeated)
        {
            throw new MemoryExhaustedException("a reply of 2 GiB or more cannot be sent: ask for less at a time");
        }

        WriteHeader(context, count);
        if (source.Table != null)
        {
            for (; count > 0; count--)
            {
                Write(context, source, (nint)source.Table->Draw(context.Random));
            }

            return;
        }

        var elements = ArrayPool<nint>.Shared.Rent((int)source.Count);
        var found = 0;
        for (var position = 0; source.TryNext(ref position, out var element);)
        {
            elements[found++] = element;
        }

        for (; count > 0; count--)
        {
            Write(context, source, elements[context.Random.Next(found)]);
        }

        ArrayPool<nint>.Shared.Return(elements);
    }

    private void WriteDifferent<TSource>(CommandContext context, in TSource source)
        where TSource : struct, IElementSource, allows ref struct
    {
        var count = Math.Min(_count, source.Count);
        WriteHeader(context, count);
        if (source.Table == null)
        {
            var left = source.Count;
            for (var position = 0; count > 0 && source.TryNext(ref position, out var element); left--)
            {
                if (IsSelected(context.Random, ref count, left))
                {
                    Write(context, source, element);
                }
            }
        }
        else if (count > MaxRemembered || count > source.Count / LargeShare)
        {
            var left = source.Count;
            for (var walk = ElementTable.Walk(source.Table); count > 0 && walk.TryNext(out var block); left--)
            {
                if (IsSelected(context.Random, ref count, left))
                {
                    Write(context, source, (nint)block);
                }
            }
        }
        else
        {
            WriteFew(context, source, (int)count);
        }
    }

    /// <summary>Decides about one of <paramref name="left"/> elements, of which <paramref name="count"/> are to be
    /// taken: selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).</summary>
    private static bool IsSelected(Random random, ref long count, long left)
    {
        if (random.NextInt64(left) >= count)
        {
            return false;
        }

        count--;
        return true;
    }

    /// <summary>Draws until enough different ones were found, which is soon where they are a small part of the table.
    /// </summary>
    private void WriteFew<TSource>(CommandContext context, in TSource source, int count)
        where TSource : struct, IElementSource, allows ref struct
    {
        var capacity = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)count * 2);
        var rented = ArrayPool<nint>.Shared.Rent(capacity);
        var drawn = rented.AsSpan(0, capacity); // A hash table, 0 where nothing is.
        drawn.Clear();
        while (count > 0)
        {
            var element = (nint)source.Table->Draw(context.Random);
            var slot = (int)((ulong)element * 0x9E3779B97F4A7C15UL >> 40) & (capacity - 1);
            while (drawn[slot] != 0 && drawn[slot] != element)
            {
                slot = (slot + 1) & (capacity - 1);
            }

            if (drawn[slot] == 0)
            {
                drawn[slot] = element;
                Write(context, source, element);
                count--;
            }
        }

        ArrayPool<nint>.Shared.Return(rented);
    }

    private void WriteHeader(CommandContext context, long count)
        => context.Reply.Array(_withValues && context.Reply.Protocol == 2 ? count * 2 : count);

    private void Write<TSource>(CommandContext context, in TSource source, nint element)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (_withValues && context.Reply.Protocol == 3)
        {
            context.Reply.Array(2);
        }

        source.WriteName(context.Reply, element);
        if (_withValues)
        {
            source.WriteValue(context.Reply, element);
        }
    }
}
