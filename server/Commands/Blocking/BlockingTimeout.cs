using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;

namespace Strata.Server.Commands.Blocking;

/// <summary>The timeout of a blocking command: seconds, with a fraction.</summary>
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

    private static bool TryMilliseconds(in ExtendedFloat seconds, out long milliseconds)
    {
        var value = Math.Ceiling(seconds.ToDouble() * 1000);
        milliseconds = (long)Math.Clamp(value, long.MinValue, long.MaxValue);
        return value < long.MaxValue;
    }
}
