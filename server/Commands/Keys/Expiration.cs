using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Keys;

/// <summary>What EXPIRE, PEXPIRE, EXPIREAT and PEXPIREAT do.</summary>
internal static class Expiration
{
    private const int TimeIndex = 2;
    private const int FirstOption = 3;

    /// <summary>Sets the key's expiry if the options allow it; a time that has passed deletes the key.</summary>
    public static void Execute(CommandContext context, bool inSeconds, bool isAbsolute)
    {
        if (!ExpirationRule.TryParse(context, FirstOption, out var rule)
            || !TryTime(context, inSeconds, isAbsolute, out var expiryMs))
        {
            return;
        }

        if (!context.TryWrite(context.Key, out var record) || !rule.Allows(record.ExpiryMs, expiryMs))
        {
            context.Reply.Integer(0);
            return;
        }

        if (expiryMs <= context.NowMs)
        {
            context.Shard.Remove(context.Key, record, context.Change(KeyEvent.Del));
            context.Effects?.Tell("DEL"u8, context.Key.Span);
        }
        else
        {
            _ = context.Shard.SetExpiry(context.Key, record, expiryMs, context.Change(KeyEvent.Expire));
            context.Effects?.Tell("PEXPIREAT"u8, context.Key.Span, expiryMs);
        }

        context.Reply.Integer(1);
    }

    private static bool TryTime(CommandContext context, bool inSeconds, bool isAbsolute, out long expiryMs)
    {
        if (!context.TryInteger(TimeIndex, out expiryMs))
        {
            return false;
        }

        if (Expiries.TryToUnixMs(expiryMs, inSeconds, isAbsolute, context.NowMs, out expiryMs))
        {
            return true;
        }

        context.Reply.Error($"ERR invalid expire time in '{context.Row.FullName}' command");
        return false;
    }
}
