using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>GETRANGE key start end</summary>
internal static class GetRange
{
    public static readonly CommandRow Row = new("getrange", 4, CommandFlags.ReadOnly | CommandFlags.LeaseFree,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "2.4.0",
        Summary = "Gives a part of a string.",
        Complexity = "O(N) for N bytes given",
        Syntax = "key start end",
    };

    /// <summary>GETRANGE, or SUBSTR as it was called first.</summary>
    public static void Execute(CommandContext context)
    {
        if (!context.TryInteger(2, out var start) || !context.TryInteger(3, out var end))
        {
            return;
        }

        if (StringPass.GoesOn(context))
        {
            return;
        }

        if (context.ReadString(context.Key, out var record) == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
            return;
        }

        // Both negative and the wrong way round is empty; but an end before the first byte means the first byte.
        var isEmpty = record.IsNull || (start < 0 && end < 0 && start > end);
        var length = record.ValueLength;
        start = Math.Max(start < 0 ? length + start : start, 0);
        end = Math.Min(Math.Max(end < 0 ? length + end : end, 0), length - 1);
        if (isEmpty || start > end)
        {
            context.Reply.Bulk(default(ReadOnlySpan<byte>));
        }
        else
        {
            StringReplyPass.Answer(context, record, (int)start, (int)end + 1);
        }
    }
}
