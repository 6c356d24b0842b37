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
    };

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

        var exists = context.TryWrite(context.Key, out var record);
        if (options.Get && exists && record.Type != RecordType.String)
        {
            context.Reply.Error(Errors.WrongType);
            return;
        }

        ReplyBefore(context, options, record);
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

        context.PutString(context.Key, record, context.Argument(2), expiryMs);
        if (!options.Get)
        {
            context.Reply.Ok();
        }
    }

    private static void ReplyBefore(CommandContext context, in SetOptions options, in Record record)
    {
        if (!options.Get)
        {
            return;
        }

        if (record.IsNull)
        {
            context.Misses++;
            context.Reply.Null();
        }
        else
        {
            context.Hits++;
            context.Reply.Bulk(record.Value);
        }
    }
}
