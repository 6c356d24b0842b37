using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>SWAPDB index1 index2</summary>
internal static class SwapDb
{
    public static readonly CommandRow Row = new("swapdb", 3,
        CommandFlags.Write | CommandFlags.Fast | CommandFlags.AllShards, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.KeySpace | AclCategories.Dangerous,
        Since = "4.0.0",
        Summary = "Exchanges two databases: clients of one see the keys of the other from then on.",
        Complexity = "O(1)",
        Syntax = "index1 index2",
    };

    private static void Execute(CommandContext context)
    {
        if (!TryRead(context, 1, "ERR invalid first DB index"u8, out var first)
            || !TryRead(context, 2, "ERR invalid second DB index"u8, out var second))
        {
            return;
        }

        var databases = context.Server.Databases;
        if (first < 0 || first >= databases.Count || second < 0 || second >= databases.Count)
        {
            context.Reply.Error(Errors.DatabaseOutOfRange);
            return;
        }

        databases.Swap(first, second);
        context.Reply.Ok();
    }

    private static bool TryRead(CommandContext context, int index, ReadOnlySpan<byte> error, out int database)
    {
        var isNumber = NumberParser.TryParseInt64(context.Argument(index), out var value) && value == (int)value;
        database = (int)value;
        if (!isNumber)
        {
            context.Reply.Error(error);
        }

        return isNumber;
    }
}
