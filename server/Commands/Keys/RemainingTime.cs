using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>What TTL, PTTL, EXPIRETIME and PEXPIRETIME answer.</summary>
internal static class RemainingTime
{
    private const int Missing = -2;
    private const int Persistent = -1;

    /// <summary>Answers when the key expires, seconds rounded to the nearest.</summary>
    public static void Reply(CommandContext context, bool isAbsolute, bool inMilliseconds)
    {
        if (!context.TryInspect(context.Key, out var record))
        {
            context.Reply.Integer(Missing);
            return;
        }

        var expiryMs = record.ExpiryMs;
        if (expiryMs < 0)
        {
            context.Reply.Integer(Persistent);
            return;
        }

        var timeMs = isAbsolute ? expiryMs : Math.Max(0, expiryMs - context.NowMs);
        context.Reply.Integer(inMilliseconds ? timeMs : (timeMs / 1000) + (timeMs % 1000 >= 500 ? 1 : 0));
    }
}
