using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Strings;

/// <summary>SETNX key value</summary>
internal static class SetNx
{
    public static readonly CommandRow Row = new("setnx", 3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        DeprecatedSince = "2.6.12",
        ReplacedBy = "`SET` with the `NX` argument",
        Summary = "Makes a key a string with a value, unless the key exists.",
        Complexity = "O(1)",
        Syntax = "key value",
    };

    private static void Execute(CommandContext context)
    {
        var exists = context.TryWrite(context.Key, out var record);
        if (!exists)
        {
            _ = context.PutString(context.Key, record, context.Argument(2), expiryMs: -1, KeyEvent.Set);
        }

        context.Reply.Integer(exists ? 0 : 1);
    }
}
