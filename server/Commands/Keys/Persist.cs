using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Keys;

/// <summary>PERSIST key</summary>
internal static class Persist
{
    public static readonly CommandRow Row = new("persist", 2,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.2.0",
        Summary = "Takes a key's expiry off.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryWrite(context.Key, out var record) || !record.HasExpiry)
        {
            context.Reply.Integer(0);
            return;
        }

        _ = context.Shard.SetExpiry(context.Key, record, expiryMs: -1, context.Change(KeyEvent.Persist));
        context.Reply.Integer(1);
    }
}
