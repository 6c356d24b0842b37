using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Shared;

/// <summary>Expiry times as commands give them: relative or absolute, in seconds or milliseconds.</summary>
internal static class Expiries
{
    /// <summary>Reads the expiry argument of SET, GETEX, SETEX and their like into milliseconds since 1970; answers
    /// Redis's error when it is not an integer, not positive or too large.</summary>
    public static bool TryRead(CommandContext context, int index, bool inSeconds, bool isAbsolute, out long expiryMs)
    {
        if (!context.TryInteger(index, out expiryMs))
        {
            return false;
        }

        if (expiryMs > 0 && TryToUnixMs(expiryMs, inSeconds, isAbsolute, context.NowMs, out expiryMs))
        {
            return true;
        }

        context.Reply.Error($"ERR invalid expire time in '{context.Row.FullName}' command");
        return false;
    }

    /// <summary>Converts to milliseconds since 1970; false when that overflows.</summary>
    public static bool TryToUnixMs(long value, bool inSeconds, bool isAbsolute, long nowMs, out long expiryMs)
    {
        expiryMs = value;
        if (inSeconds)
        {
            if (value is > long.MaxValue / 1000 or < long.MinValue / 1000)
            {
                return false;
            }

            expiryMs = value * 1000;
        }

        if (isAbsolute)
        {
            return true;
        }

        if (expiryMs > long.MaxValue - nowMs)
        {
            return false;
        }

        expiryMs += nowMs;
        return true;
    }
}
