using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Strings;

/// <summary>GETEX key [EX | PX | EXAT | PXAT time | PERSIST]</summary>
internal static class GetEx
{
    public static readonly CommandRow Row = new("getex", -2, CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "6.2.0",
        Summary = "Gives a string's value and sets or takes off its time to live.",
        Complexity = "O(1)",
        Syntax = "key [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|PERSIST]",
    };

    private static void Execute(CommandContext context)
    {
        if (!SetOptions.TryParseExpiry(context, 2, out var options))
        {
            return;
        }

        var lookup = context.ReadString(context.Key, out var record);
        if (lookup != Lookup.Found)
        {
            if (lookup == Lookup.WrongType)
            {
                context.Reply.Error(Errors.WrongType);
            }
            else
            {
                context.Reply.Null(); // Whatever the time was: Redis does not look at it either.
            }

            return;
        }

        var expiryMs = -1L;
        if (options.TimeIndex > 0
            && !Expiries.TryRead(context, options.TimeIndex, options.InSeconds, options.IsAbsolute, out expiryMs))
        {
            return;
        }

        using (context.Reply.Refusable())
        {
            context.Reply.Bulk(record.Value);
        }

        if (expiryMs >= 0 && expiryMs <= context.NowMs)
        {
            context.Shard.Remove(context.Key, record, context.Change(KeyEvent.Del));
            context.Effects?.Tell("DEL"u8, context.Key.Span);
        }
        else if (options.TimeIndex > 0)
        {
            _ = context.Shard.SetExpiry(context.Key, record, expiryMs, context.Change(KeyEvent.Expire));
            context.Effects?.Tell("PEXPIREAT"u8, context.Key.Span, expiryMs);
        }
        else if (options.Persist && record.HasExpiry)
        {
            _ = context.Shard.SetExpiry(context.Key, record, expiryMs, context.Change(KeyEvent.Persist));
            context.Effects?.Tell("PERSIST"u8, context.Key.Span);
        }
    }
}
