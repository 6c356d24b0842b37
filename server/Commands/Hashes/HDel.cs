using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Hashes;

/// <summary>HDEL key field [field ...]</summary>
internal static class HDel
{
    public static readonly CommandRow Row = new("hdel", -3, CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Deletes fields of a hash, and with the last one the key.",
        Complexity = "O(N) for N fields",
        Syntax = "key field [field ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !HashAccess.TryWrite(context, out var hash)
            || NameRemovalPass.Begins(context, KeyEvent.HDel))
        {
            return;
        }

        var deleted = 0;
        for (var i = 2; i < context.Count && !hash.IsMissing; i++)
        {
            deleted += hash.Remove(context.Argument(i)) ? 1 : 0;
        }

        if (deleted > 0)
        {
            hash.End(context.Change(KeyEvent.HDel));
        }

        context.Reply.Integer(deleted);
    }
}
