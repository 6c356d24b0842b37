using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>The words after LCS's keys.</summary>
internal struct LcsOptions
{
    public bool LengthOnly;
    public bool Indexes;
    public bool WithMatchLength;
    public long MinMatchLength;

    /// <summary>Reads the words from argument <paramref name="index"/> on; answers Redis's error when they are wrong.
    /// </summary>
    public static bool TryParse(CommandContext context, int index, out LcsOptions options)
    {
        options = default;
        for (; index < context.Count; index++)
        {
            if (context.IsWord(index, "idx"u8))
            {
                options.Indexes = true;
            }
            else if (context.IsWord(index, "len"u8))
            {
                options.LengthOnly = true;
            }
            else if (context.IsWord(index, "withmatchlen"u8))
            {
                options.WithMatchLength = true;
            }
            else if (context.IsWord(index, "minmatchlen"u8) && index + 1 < context.Count)
            {
                if (!context.TryInteger(++index, out options.MinMatchLength))
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

        if (options.LengthOnly && options.Indexes)
        {
            context.Reply.Error("ERR If you want both the length and indexes, please just use IDX."u8);
            return false;
        }

        return true;
    }
}
