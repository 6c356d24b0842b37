using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Keys;

/// <summary>What stands behind RESTORE's payload.</summary>
/// <param name="Replaces">Whether the key may be there.</param>
/// <param name="IsAbsolute">Whether the time to live is a time.</param>
/// <param name="IdleSeconds">For how long it was not used; -1 where that is not said.</param>
/// <param name="Frequency">How often it was used; -1 where that is not said.</param>
internal readonly record struct RestoreOptions(bool Replaces, bool IsAbsolute, long IdleSeconds, int Frequency)
{
    private const int First = 4;
    private const int MaxFrequency = 255;

    /// <summary>Reads them; answers what is wrong.</summary>
    public static bool TryRead(CommandContext context, out RestoreOptions options)
    {
        options = new(Replaces: false, IsAbsolute: false, IdleSeconds: -1, Frequency: -1);
        for (var i = First; i < context.Count; i++)
        {
            var hasMore = i + 1 < context.Count;
            if (context.IsWord(i, "replace"u8))
            {
                options = options with { Replaces = true };
            }
            else if (context.IsWord(i, "absttl"u8))
            {
                options = options with { IsAbsolute = true };
            }
            else if (context.IsWord(i, "idletime"u8) && hasMore && options.Frequency < 0)
            {
                if (!TryReadIdle(context, ++i, ref options))
                {
                    return false;
                }
            }
            else if (context.IsWord(i, "freq"u8) && hasMore && options.IdleSeconds < 0)
            {
                if (!TryReadFrequency(context, ++i, ref options))
                {
                    return false;
                }
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    /// <summary>Reads the time to live: milliseconds since 1970, or -1 for none.</summary>
    public static bool TryReadTime(CommandContext context, in RestoreOptions options, out long expiryMs)
    {
        if (!context.TryInteger(2, out expiryMs))
        {
            return false;
        }

        if (expiryMs == 0)
        {
            expiryMs = -1;
            return true;
        }

        if (expiryMs > 0
            && Expiries.TryToUnixMs(expiryMs, inSeconds: false, options.IsAbsolute, context.NowMs, out expiryMs))
        {
            return true;
        }

        context.Reply.Error("ERR Invalid TTL value, must be >= 0"u8);
        return false;
    }

    private static bool TryReadIdle(CommandContext context, int index, ref RestoreOptions options)
    {
        if (!context.TryInteger(index, out var seconds))
        {
            return false;
        }

        options = options with { IdleSeconds = seconds };
        if (seconds < 0)
        {
            context.Reply.Error("ERR Invalid IDLETIME value, must be >= 0"u8);
        }

        return seconds >= 0;
    }

    private static bool TryReadFrequency(CommandContext context, int index, ref RestoreOptions options)
    {
        if (!context.TryInteger(index, out var frequency))
        {
            return false;
        }

        var isInRange = frequency is >= 0 and <= MaxFrequency;
        if (!isInRange)
        {
            context.Reply.Error("ERR Invalid FREQ value, must be >= 0 and <= 255"u8);
        }

        options = options with { Frequency = (int)Math.Clamp(frequency, 0, MaxFrequency) };
        return isInRange;
    }
}
