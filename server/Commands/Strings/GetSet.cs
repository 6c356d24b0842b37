using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Strings;

/// <summary>GETSET key value</summary>
internal static class GetSet
{
    public static readonly CommandRow Row = new("getset", 3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`SET` with the `GET` argument",
        Summary = "Gives a string's value and replaces it by another.",
        Complexity = "O(1)",
        Syntax = "key value",
    };

    private static void Execute(CommandContext context)
    {
        if (StringReply.TryWrite(context, out var record, isRefusable: true))
        {
            _ = context.PutString(context.Key, record, context.Argument(2), expiryMs: -1, KeyEvent.Set);
            context.Effects?.Tell("SET"u8, context.Key.Span, context.Argument(2));
        }
    }
}
