using System.Buffers;
using System.Numerics;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Collections;

/// <summary>
/// What HRANDFIELD, SRANDMEMBER and ZRANDMEMBER do: <c>key [count [WITHVALUES]]</c>. No count: one element. A count:
/// so many different ones; a negative one: so many, which may be the same.
/// </summary>
internal unsafe struct RandomDraw
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
    private readonly bool _mayRepeat;

    // What is left to be answered; and of a walk over the table, to be looked at.
    private long _count;
    private long _left;
    private ElementWalk _walk;
    private bool _walks;
    private bool _isBegun;

    // What was drawn, a hash table, 0 where nothing is; null where that does not matter.
    private nint[]? _drawn;
    private int _lastPlace;

    private RandomDraw(long count, bool withValues)
    {
        _isCounted = true;
        _withValues = withValues;
        _mayRepeat = count < 0;
        _count = Math.Abs(count);
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
    public readonly void WriteEmpty(CommandContext context)
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
    /// <param name="context">The command.</param>
    /// <param name="source">The collection.</param>
    /// <param name="open">Opens it again, where the command goes on in steps.</param>
    public void Execute<TSource>(CommandContext context, in TSource source, OpenElements<TSource> open)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (!_isCounted)
        {
            source.WriteName(context.Reply, DrawOne(context.Random, source));
            return;
        }

        if (_mayRepeat && _count > MaxRepeated)
        {
            throw new MemoryExhaustedException("a reply of 2 GiB or more cannot be sent: ask for less at a time");
        }

        _count = _mayRepeat ? _count : Math.Min(_count, source.Count);
        _left = source.Count;
        if (source.Table != null && !_mayRepeat)
        {
            // Otherwise enough different ones are found soon, for they are a small part of the table.
            _walks = _count > MaxRemembered || _count > source.Count / LargeShare;
        }

        var looked = _walks ? source.Count : _count;
        if (KeyPass.IsLong(context, looked, source.Count, source.LargeBytes))
        {
            RandomDrawPass<TSource>.Begin(context, open, this);
        }
        else
        {
            _ = TryGoOn(context.Random, context.Reply, source, long.MaxValue);
        }
    }

    /// <summary>Goes on to answer elements.</summary>
    /// <param name="random">What draws.</param>
    /// <param name="reply">Where they are written; first the header.</param>
    /// <param name="source">The collection.</param>
    /// <param name="effort">How much may be done, as <see cref="StepEffort"/> counts.</param>
    /// <returns>Whether all are written.</returns>
    public bool TryGoOn<TSource>(Random random, ReplyWriter reply, in TSource source, long effort)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (!_isBegun)
        {
            _isBegun = true;
            reply.Array(_withValues && reply.Protocol == 2 ? _count * 2 : _count);
            Begin(source);
        }

        if (source.Table == null)
        {
            WritePacked(random, reply, source);
            return true;
        }

        while (_count > 0)
        {
            if (effort <= 0)
            {
                return false;
            }

            var before = reply.Length;
            if (TryDraw(random, source, out var element))
            {
                Write(reply, source, element);
                _count--;
            }

            effort -= StepEffort.Of(reply.Length - before);
        }

        if (_drawn != null)
        {
            ArrayPool<nint>.Shared.Return(_drawn);
        }

        return true;
    }

    private static nint DrawOne<TSource>(Random random, in TSource source)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (source.Table != null)
        {
            return (nint)source.Table->Draw(random);
        }

        var position = 0;
        for (var skipped = random.NextInt64(source.Count); skipped > 0; skipped--)
        {
            _ = source.TryNext(ref position, out _);
        }

        _ = source.TryNext(ref position, out var element);
        return element;
    }

    private void Begin<TSource>(in TSource source)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (_walks)
        {
            _walk = ElementTable.Walk(source.Table);
        }
        else if (source.Table != null && !_mayRepeat)
        {
            var places = (int)BitOperations.RoundUpToPowerOf2((uint)_count * 2);
            _lastPlace = places - 1;
            _drawn = ArrayPool<nint>.Shared.Rent(places);
            Array.Clear(_drawn, 0, places);
        }
    }

    /// <summary>Draws an element of a table.</summary>
    /// <returns>Whether it is to be answered.</returns>
    private bool TryDraw<TSource>(Random random, in TSource source, out nint element)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (_walks)
        {
            _ = _walk.TryNext(out var block);
            element = (nint)block;
            return IsSelected(random);
        }

        element = (nint)source.Table->Draw(random);
        return _mayRepeat || IsNew(element);
    }

    /// <summary>Decides about one of <see cref="_left"/> elements, of which <see cref="_count"/> are to be taken:
    /// selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).</summary>
    private bool IsSelected(Random random) => random.NextInt64(_left--) < _count;

    private readonly bool IsNew(nint element)
    {
        var place = (int)((ulong)element * 0x9E3779B97F4A7C15UL >> 40) & _lastPlace;
        while (_drawn![place] != 0 && _drawn[place] != element)
        {
            place = (place + 1) & _lastPlace;
        }

        var isNew = _drawn[place] == 0;
        _drawn[place] = element;
        return isNew;
    }

    private void WritePacked<TSource>(Random random, ReplyWriter reply, in TSource source)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (!_mayRepeat)
        {
            for (var position = 0; _count > 0 && source.TryNext(ref position, out var element);)
            {
                if (IsSelected(random))
                {
                    _count--;
                    Write(reply, source, element);
                }
            }

            return;
        }

        var elements = ArrayPool<nint>.Shared.Rent((int)source.Count);
        var found = 0;
        for (var position = 0; source.TryNext(ref position, out var element);)
        {
            elements[found++] = element;
        }

        for (; _count > 0; _count--)
        {
            Write(reply, source, elements[random.Next(found)]);
        }

        ArrayPool<nint>.Shared.Return(elements);
    }

    private readonly void Write<TSource>(ReplyWriter reply, in TSource source, nint element)
        where TSource : struct, IElementSource, allows ref struct
    {
        if (_withValues && reply.Protocol == 3)
        {
            reply.Array(2);
        }

        source.WriteName(reply, element);
        if (_withValues)
        {
            source.WriteValue(reply, element);
        }
    }
}
