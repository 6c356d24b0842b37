using Strata.Server.Commands.Model;
using Strata.Server.Text;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>The words after the cursor of SCAN, HSCAN, SSCAN and ZSCAN.</summary>
internal ref struct ScanOptions
{
    private const long DefaultCount = 10;

    private ReadOnlySpan<byte> _pattern;
    private bool _hasPattern;
    private RecordType? _type;
    private bool _hasType;
    private bool _hasNoValues;
    private ScannedKind _kind;

    /// <summary>About how many keys or elements to look at.</summary>
    public long Count { get; private set; }

    /// <summary>Whether each element is followed by its value or score.</summary>
    public readonly bool WithValues
        => _kind == ScannedKind.ScoredMembers || (_kind == ScannedKind.Fields && !_hasNoValues);

    /// <summary>Reads the words from argument <paramref name="index"/> on; answers Redis's error when they are wrong.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="index">The first of them.</param>
    /// <param name="kind">What is gone through.</param>
    /// <param name="options">What they say.</param>
    public static bool TryParse(CommandContext context, int index, ScannedKind kind, out ScanOptions options)
    {
        options = new ScanOptions { Count = DefaultCount, _kind = kind };
        for (; index < context.Count; index += 2)
        {
            if (context.IsWord(index, "novalues"u8))
            {
                if (kind != ScannedKind.Fields)
                {
                    context.Reply.Error("ERR NOVALUES option can only be used in HSCAN"u8);
                    return false;
                }

                options._hasNoValues = true;
                index--; // It stands alone.
            }
            else if (index + 1 < context.Count && context.IsWord(index, "count"u8))
            {
                if (!options.TryCount(context, index + 1))
                {
                    return false;
                }
            }
            else if (index + 1 >= context.Count || !options.TryFilter(context, index))
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether keys or elements of this name are asked for.</summary>
    public readonly bool MatchesName(ReadOnlySpan<byte> name) => !_hasPattern || GlobPattern.IsMatch(_pattern, name);

    /// <summary>Whether keys of this type are asked for. The name of no type matches none, as in Redis 7.</summary>
    public readonly bool MatchesType(in Record record) => !_hasType || record.Type == _type;

    private bool TryCount(CommandContext context, int index)
    {
        if (!context.TryInteger(index, out var count))
        {
            return false;
        }

        if (count < 1)
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        Count = count;
        return true;
    }

    private bool TryFilter(CommandContext context, int index)
    {
        if (context.IsWord(index, "match"u8))
        {
            _pattern = context.Argument(index + 1);
            _hasPattern = !_pattern.SequenceEqual("*"u8);
            return true;
        }

        if (_kind == ScannedKind.Keys && context.IsWord(index, "type"u8))
        {
            _type = TypeNames.Parse(context.Argument(index + 1));
            _hasType = true;
            return true;
        }

        return false;
    }
}
