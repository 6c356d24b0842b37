using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>What HTTL, HPTTL, HEXPIRETIME and HPEXPIRETIME answer.</summary>
internal static class FieldTime
{
    /// <summary>Answers when each field expires, seconds rounded up.</summary>
    public static void Execute(CommandContext context, bool isAbsolute, bool inMilliseconds)
    {
        if (!HashAccess.TryRead(context, out var hash) || !FieldList.TryParse(context, out var fields))
        {
            return;
        }

        context.Reply.Array(fields.Count);
        for (var i = 0; i < fields.Count; i++)
        {
            if (!hash.TryGetExpiry(context.Argument(fields.First + i), out var expiryMs))
            {
                context.Reply.Integer(FieldList.MissingField);
            }
            else if (expiryMs < 0)
            {
                context.Reply.Integer(FieldList.NoExpiry);
            }
            else
            {
                var timeMs = isAbsolute ? expiryMs : expiryMs - context.NowMs;
                context.Reply.Integer(inMilliseconds ? timeMs : (timeMs + 999) / 1000);
            }
        }
    }
}
