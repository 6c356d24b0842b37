using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Strings;

/// <summary>GETDEL key</summary>
internal static class GetDel
{
    public static readonly CommandRow Row = new("getdel", 2, CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "6.2.0",
        Summary = "Gives a string's value and deletes the key.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (StringReply.TryWrite(context, out var record) && !record.IsNull)
        {
            context.Shard.Remove(context.Key, record, context.Change(KeyEvent.Del));
            context.Effects?.Tell("DEL"u8, context.Key.Span);
        }
    }
}
