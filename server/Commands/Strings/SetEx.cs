using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Strings;

/// <summary>SETEX key seconds value</summary>
internal static class SetEx
{
    public static readonly CommandRow Row = new("setex", 4, CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update), static context => Execute(context, inSeconds: true))
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "2.0.0",
        DeprecatedSince = "2.6.12",
        ReplacedBy = "`SET` with the `EX` argument",
        Summary = "Makes a key a string with a value and a time to live in seconds.",
        Complexity = "O(1)",
        Syntax = "key seconds value",
    };

    /// <summary>SETEX, or PSETEX in milliseconds.</summary>
    public static void Execute(CommandContext context, bool inSeconds)
    {
        if (!Expiries.TryRead(context, 2, inSeconds, isAbsolute: false, out var expiryMs))
        {
            return;
        }

        _ = context.TryWrite(context.Key, out var record);
        record = context.PutString(context.Key, record, context.Argument(3), expiryMs, KeyEvent.Set);
        context.Shard.Changes.Tell(context.Key, record, context.Change(KeyEvent.Expire));
        Set.TellEffect(context, context.Argument(3), expiryMs);
        context.Reply.Ok();
    }
}
