using Strata.Server.Notifications;

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
        context.PutString(context.Key, record, context.Argument(3), expiryMs);
        context.Notify(NotificationClasses.String, "set"u8, context.Key);
        context.Notify(NotificationClasses.Generic, "expire"u8, context.Key);
        context.Reply.Ok();
    }
}
