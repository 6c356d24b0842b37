using Strata.Server.Clients;
using Strata.Server.Commands.Model;
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
        if (!TryRead(context, 1, out var first))
        {
            context.Reply.Error("ERR invalid first DB index"u8);
            return;
        }

        if (!TryRead(context, 2, out var second))
        {
            context.Reply.Error("ERR invalid second DB index"u8);
            return;
        }

        var databases = context.Server.Databases;
        if (!databases.Has(first) || !databases.Has(second))
        {
            context.Reply.Error(Errors.DatabaseOutOfRange);
            return;
        }

        if (first != second)
        {
            Exchange(context, first, second);
        }

        context.Reply.Ok();
    }

    /// <summary>Reads the arguments, without an answer.</summary>
    public static bool TryRead(CommandContext context, out int first, out int second)
    {
        second = 0;
        return TryRead(context, 1, out first) && TryRead(context, 2, out second)
            && context.Server.Databases.Has(first) && context.Server.Databases.Has(second);
    }

    private static void Exchange(CommandContext context, int first, int second)
    {
        var databases = context.Server.Databases;
        var shards = context.Server.Shards;
        var (one, other) = (databases.PhysicalOf(first), databases.PhysicalOf(second));
        shards.BeforeExchange(one, other);
        databases.Swap(first, second);
        if (!shards.TellExchanged(one, other, context.Session))
        {
            context.Session.LetPassExchanged(shards);
        }

        // Who took the new version before that may have found a watched key in its old place.
        databases.OnChanged();
    }

    private static bool TryRead(CommandContext context, int index, out int database)
    {
        var isNumber = NumberParser.TryParseInt64(context.Argument(index), out var value) && value == (int)value;
        database = (int)value;
        return isNumber;
    }
}
