using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>A range of ids, both ends included; empty where the first is above the last.</summary>
/// <param name="From">The lowest.</param>
/// <param name="To">The highest.</param>
internal readonly record struct IdRange(StreamId From, StreamId To)
{
    /// <summary>All ids.</summary>
    public static IdRange All => new(StreamId.Min, StreamId.Max);

    /// <summary>Reads the ends of a range: ids, whose missing second numbers are the widest, <c>-</c>, <c>+</c>, or
    /// <c>(</c> before one that is not included. An error is answered.</summary>
    /// <param name="context">The command.</param>
    /// <param name="from">Index of the lower end.</param>
    /// <param name="to">Index of the upper end.</param>
    /// <param name="range">The range.</param>
    public static bool TryParse(CommandContext context, int from, int to, out IdRange range)
    {
        range = default;
        if (!TryLowerEnd(context, from, out var first)
            || !TryEnd(context, to, ulong.MaxValue, out var last, out var isOpen))
        {
            return false;
        }

        var end = last;
        if (isOpen && !last.TryPrevious(out end))
        {
            context.Reply.Error("ERR invalid end ID for the interval"u8);
            return false;
        }

        range = new IdRange(first, end);
        return true;
    }

    /// <summary>Reads the lower end of a range. An error is answered.</summary>
    public static bool TryLowerEnd(CommandContext context, int index, out StreamId first)
    {
        if (!TryEnd(context, index, 0, out var end, out var isOpen))
        {
            first = default;
            return false;
        }

        first = end;
        if (isOpen && !end.TryNext(out first))
        {
            context.Reply.Error("ERR invalid start ID for the interval"u8);
            return false;
        }

        return true;
    }

    /// <summary>Reads an id that may be <c>-</c> or <c>+</c>. An error is answered.</summary>
    public static bool TryEndOrId(CommandContext context, int index, out StreamId id)
        => TryEndOrId(context, context.Argument(index), 0, out id);

    private static bool TryEnd(CommandContext context, int index, ulong missing, out StreamId id, out bool isOpen)
    {
        var text = context.Argument(index);
        isOpen = text.Length > 1 && text[0] == '(';
        if (isOpen)
        {
            return StreamArguments.TryId(context, text[1..], missing, out id);
        }

        return TryEndOrId(context, text, missing, out id);
    }

    private static bool TryEndOrId(CommandContext context, ReadOnlySpan<byte> text, ulong missing, out StreamId id)
    {
        if (StreamIdText.Seen(text) is [var only] && only is (byte)'-' or (byte)'+')
        {
            id = only == '-' ? StreamId.Min : StreamId.Max;
            return true;
        }

        return StreamArguments.TryId(context, text, missing, out id);
    }
}
