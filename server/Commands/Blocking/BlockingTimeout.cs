using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Blocking;

/// <summary>The timeout of a blocking command: of most, seconds with a fraction; of some, milliseconds.</summary>
internal static class BlockingTimeout
{
    /// <summary>Reads a timeout; answers Redis's error when it is wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="index">Index of the argument.</param>
    /// <param name="timeoutMs">Milliseconds, rounded up; 0 for none.</param>
    public static bool TryRead(CommandContext context, int index, out long timeoutMs)
    {
        timeoutMs = 0;
        if (!ExtendedFloatParser.TryParse(context.Argument(index), out var seconds))
        {
            context.Reply.Error("ERR timeout is not a float or out of range"u8);
            return false;
        }

        if (!TryMilliseconds(seconds, out timeoutMs) || timeoutMs > long.MaxValue - context.NowMs)
        {
            context.Reply.Error("ERR timeout is out of range"u8);
            return false;
        }

        if (timeoutMs < 0)
        {
            context.Reply.Error("ERR timeout is negative"u8);
            return false;
        }

        return true;
    }

    /// <summary>Reads a timeout in whole milliseconds; answers Redis's error when it is wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="index">Index of the argument.</param>
    /// <param name="timeoutMs">Milliseconds that may be added to the time.</param>
    public static bool TryReadMilliseconds(CommandContext context, int index, out long timeoutMs)
    {
        if (!NumberParser.TryParseInt64(context.Argument(index), out timeoutMs))
        {
            context.Reply.Error("ERR timeout is not an integer or out of range"u8);
        }
        else if (timeoutMs < 0)
        {
            context.Reply.Error("ERR timeout is negative"u8);
        }
        else if (timeoutMs > long.MaxValue - context.NowMs)
        {
            context.Reply.Error("ERR timeout is out of range"u8);
        }
        else
        {
            return true;
        }

        return false;
    }

    private static bool TryMilliseconds(in ExtendedFloat seconds, out long milliseconds)
    {
        var value = Math.Ceiling(seconds.ToDouble() * 1000);
        milliseconds = (long)Math.Clamp(value, long.MinValue, long.MaxValue);
        return value < long.MaxValue;
    }
}
