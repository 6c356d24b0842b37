using Strata.Server.Notifications;

namespace Strata.Server.Commands.Strings;

/// <summary>APPEND key value</summary>
internal static class Append
{
    public static readonly CommandRow Row = new("append", 3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "2.0.0",
        Summary = "Adds to the end of a string; a missing key becomes one.",
        Complexity = "O(N) for N bytes added, amortized: a string that grows is given room to grow",
        Syntax = "key value",
    };

    private static void Execute(CommandContext context)
    {
        var added = context.Argument(2);
        switch (context.WriteString(context.Key, out var record))
        {
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                break;
            case Lookup.Missing:
                context.PutString(context.Key, record, added, expiryMs: -1);
                context.Notify(NotificationClasses.String, "append"u8, context.Key);
                context.Reply.Integer(added.Length);
                break;
            default:
                var length = record.ValueLength;
                if (StringLimits.Allows(context, length, added.Length))
                {
                    var grown = context.Shard.Resize(context.Key, record, length + added.Length);
                    added.CopyTo(grown.MutableValue[length..]);
                    context.Notify(NotificationClasses.String, "append"u8, context.Key);
                    context.Reply.Integer(grown.ValueLength);
                }

                break;
        }
    }
}
