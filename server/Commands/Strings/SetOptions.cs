using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>The words after SET's value, or after GETEX's key.</summary>
internal struct SetOptions
{
    public bool OnlyIfMissing;
    public bool OnlyIfPresent;
    public bool Get;
    public bool KeepTtl;
    public bool Persist;

    /// <summary>Index of the time argument; 0 when there is none.</summary>
    public int TimeIndex;
    public bool InSeconds;
    public bool IsAbsolute;

    /// <summary>Reads SET's words from argument <paramref name="index"/> on; answers a syntax error when they do not go
    /// together.</summary>
    public static bool TryParse(CommandContext context, int index, out SetOptions options)
    {
        options = default;
        for (; index < context.Count; index++)
        {
            if (!options.TryFlag(context, index) && !options.TryTime(context, ref index))
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    /// <summary>Reads GETEX's words, likewise.</summary>
    public static bool TryParseExpiry(CommandContext context, int index, out SetOptions options)
    {
        options = default;
        for (; index < context.Count; index++)
        {
            if (context.IsWord(index, "persist"u8) && options.TimeIndex == 0)
            {
                options.Persist = true;
            }
            else if (!options.TryTime(context, ref index))
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    private bool TryFlag(CommandContext context, int index)
    {
        if (context.IsWord(index, "nx"u8) && !OnlyIfPresent)
        {
            OnlyIfMissing = true;
        }
        else if (context.IsWord(index, "xx"u8) && !OnlyIfMissing)
        {
            OnlyIfPresent = true;
        }
        else if (context.IsWord(index, "get"u8))
        {
            Get = true;
        }
        else if (context.IsWord(index, "keepttl"u8) && TimeIndex == 0)
        {
            KeepTtl = true;
        }
        else
        {
            return false;
        }

        return true;
    }

    private bool TryTime(CommandContext context, ref int index)
    {
        if (KeepTtl || Persist || index + 1 >= context.Count)
        {
            return false;
        }

        var isEx = context.IsWord(index, "ex"u8);
        var isExAt = context.IsWord(index, "exat"u8);
        var isPxAt = context.IsWord(index, "pxat"u8);
        if (!isEx && !isExAt && !isPxAt && !context.IsWord(index, "px"u8))
        {
            return false;
        }

        var inSeconds = isEx || isExAt;
        var isAbsolute = isExAt || isPxAt;
        if (TimeIndex > 0 && (inSeconds != InSeconds || isAbsolute != IsAbsolute))
        {
            return false; // The same word may come twice, and the last counts; two words do not go together.
        }

        InSeconds = inSeconds;
        IsAbsolute = isAbsolute;
        TimeIndex = ++index;
        return true;
    }
}
