using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>What the arguments of several commands on streams have in common. Errors are answered.</summary>
internal static class StreamArguments
{
    private static ReadOnlySpan<byte> InvalidId => "ERR Invalid stream ID specified as stream command argument"u8;

    /// <summary>Reads an id. Where its second number is missing it is 0.</summary>
    public static bool TryId(CommandContext context, int index, out StreamId id)
        => TryId(context, context.Argument(index), 0, out id);

    /// <summary>Reads an id.</summary>
    /// <param name="context">The command.</param>
    /// <param name="text">Its text.</param>
    /// <param name="missing">The second number, where it is missing.</param>
    /// <param name="id">The id.</param>
    public static bool TryId(CommandContext context, ReadOnlySpan<byte> text, ulong missing, out StreamId id)
    {
        if (StreamIdText.TryParse(text, missing, out id))
        {
            return true;
        }

        context.Reply.Error(InvalidId);
        return false;
    }

    /// <summary>Reads the id of a new entry, whose second number may be <c>*</c>.</summary>
    public static bool TryNewId(CommandContext context, int index, out StreamId id, out bool isStar)
    {
        if (StreamIdText.TryParseNew(context.Argument(index), out id, out isStar))
        {
            return true;
        }

        context.Reply.Error(InvalidId);
        return false;
    }

    /// <summary>Whether all arguments from an index on are ids.</summary>
    public static bool AreIds(CommandContext context, int first)
    {
        for (var i = first; i < context.Count; i++)
        {
            if (!TryId(context, i, out _))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The id at an index, which was read before.</summary>
    public static StreamId IdAt(CommandContext context, int index)
    {
        _ = StreamIdText.TryParse(context.Argument(index), 0, out var id);
        return id;
    }

    /// <summary>Reads a number, whose error is another than the usual one.</summary>
    public static bool TryInteger(CommandContext context, int index, ReadOnlySpan<byte> error, out long value)
    {
        if (NumberParser.TryParseInt64(context.Argument(index), out value))
        {
            return true;
        }

        context.Reply.Error(error);
        return false;
    }
}
