using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Hashes;

/// <summary>The end of commands about the expiry of fields: <c>FIELDS numfields field [field ...]</c>.</summary>
/// <param name="First">Index of the first field.</param>
/// <param name="Count">Number of fields.</param>
internal readonly record struct FieldList(int First, int Count)
{
    /// <summary>What is answered for a field that is not there.</summary>
    public const int MissingField = -2;

    /// <summary>What is answered for a field that does not expire.</summary>
    public const int NoExpiry = -1;

    /// <summary>Reads the list from the word FIELDS, at <paramref name="index"/>, to the last argument; answers Redis's
    /// error when it is wrong.</summary>
    public static bool TryParse(
        CommandContext context, int index, ReadOnlySpan<byte> numberError, out FieldList fields)
    {
        fields = default;
        if (!context.IsWord(index, "fields"u8))
        {
            context.Reply.Error("ERR Mandatory argument FIELDS is missing or not at the right position"u8);
            return false;
        }

        if (!NumberParser.TryParseInt64(context.Argument(index + 1), out var count) || count < 1)
        {
            context.Reply.Error(numberError);
            return false;
        }

        var first = index + 2;
        if (count != context.Count - first)
        {
            context.Reply.Error("ERR The `numfields` parameter must match the number of arguments"u8);
            return false;
        }

        fields = new FieldList(first, (int)count);
        return true;
    }

    /// <summary>The list of HTTL, HPERSIST and their like, which have no other arguments.</summary>
    public static bool TryParse(CommandContext context, out FieldList fields)
        => TryParse(context, 2, "ERR Number of fields must be a positive integer"u8, out fields);
}
