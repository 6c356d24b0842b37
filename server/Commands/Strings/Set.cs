using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Strings;

/// <summary>SET key value [NX | XX] [GET] [EX | PX | EXAT | PXAT time | KEEPTTL]</summary>
internal static class Set
{
    public static readonly CommandRow Row = new("set", -3, CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update | KeyAccess.VariableFlags), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        Summary = "Makes a key a string with a value, whatever it was before.",
        Complexity = "O(1)",
        Syntax = "key value [NX|XX] [GET] [EX seconds|PX milliseconds|EXAT unix-time-seconds|"
            + "PXAT unix-time-milliseconds|KEEPTTL]",
        AccessOf = AccessOf,
    };

    /// <summary>With GET the old value is read, without it is not.</summary>
    private static KeyAccess AccessOf(Request request)
    {
        for (var i = 3; i < request.Count; i++)
        {
            if (NumberParser.IsWord(request[i], "get"u8))
            {
                return KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update;
            }
        }

        return KeyAccess.Overwrite | KeyAccess.Update;
    }

    /// <summary>Tells the journal of a string that expires: not in how long, but when.</summary>
    public static void TellEffect(CommandContext context, ReadOnlySpan<byte> value, long expiryMs)
    {
        if (context.Effects is { } effects)
        {
            effects.Begin(5, "SET"u8);
            effects.Argument(context.Key.Span);
            effects.Argument(value);
            effects.Argument("PXAT"u8);
            effects.Argument(expiryMs);
        }
    }

    private static void Execute(CommandContext context)
    {
        var options = default(SetOptions);
        if (context.Count > 3 && !SetOptions.TryParse(context, 3, out options))
        {
            return;
        }

        var expiryMs = -1L;
        if (options.TimeIndex > 0
            && !Expiries.TryRead(context, options.TimeIndex, options.InSeconds, options.IsAbsolute, out expiryMs))
        {
            return;
        }

        Record record;
        if (!options.Get)
        {
            _ = context.TryWrite(context.Key, out record);
        }
        else if (!StringReply.TryWrite(context, out record, isRefusable: true))
        {
            return;
        }

        var exists = !record.IsNull;
        if ((options.OnlyIfMissing && exists) || (options.OnlyIfPresent && !exists))
        {
            if (!options.Get)
            {
                context.Reply.Null();
            }

            return;
        }

        if (options.KeepTtl && exists)
        {
            expiryMs = record.ExpiryMs;
        }

        record = context.PutString(context.Key, record, context.Argument(2), expiryMs, KeyEvent.Set);
        if (options.TimeIndex > 0)
        {
            context.Shard.Changes.Tell(context.Key, record, context.Change(KeyEvent.Expire));
            TellEffect(context, context.Argument(2), expiryMs);
        }

        if (!options.Get)
        {
            context.Reply.Ok();
        }
    }
}
