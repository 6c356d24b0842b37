using Strata.Server.Commands.Model;
using Strata.Server.Text;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>The words after the cursor of SCAN, HSCAN, SSCAN and ZSCAN.</summary>
internal ref struct ScanOptions
{
    private const long DefaultCount = 10;

    // Of a pattern's beginning, what is compared at once with that of a name.
    private const int LongestBeginning = 1024;

    private ReadOnlySpan<byte> _pattern;
    private bool _hasPattern;
    private int _beginning;
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

    /// <summary>Takes a pattern alone, as KEYS has it.</summary>
    public static ScanOptions OfPattern(ReadOnlySpan<byte> pattern)
    {
        var options = default(ScanOptions);
        options.SetPattern(pattern);
        return options;
    }

    /// <summary>Finds out whether keys or elements of a name are asked for.</summary>
    /// <param name="name">The name, the same until that is known.</param>
    /// <param name="match">The match, not under way at first.</param>
    /// <param name="effort">How many bytes may be looked at; less those that were.</param>
    /// <returns>Null where that takes another step.</returns>
    public readonly bool? MatchesName(ReadOnlySpan<byte> name, ref NameMatch match, ref long effort)
    {
        if (!_hasPattern)
        {
            return true;
        }

        if (name.IsEmpty)
        {
            return GlobPattern.IsMatch(_pattern, name);
        }

        if (!match.IsUnderWay)
        {
            if (!name.StartsWith(_pattern[.._beginning]))
            {
                return false;
            }

            match.Match = new GlobMatch(_beginning);
        }

        var matches = match.Match.Go(_pattern, name, ignoreCase: false, ref effort);
        match.IsUnderWay = matches == null;
        return matches;
    }

    /// <summary>Whether keys of this type are asked for. The name of no type matches none, as in Redis 7.</summary>
    public readonly bool MatchesType(in Record record) => !_hasType || record.Type == _type;

    private void SetPattern(ReadOnlySpan<byte> pattern)
    {
        _pattern = pattern;
        _hasPattern = !pattern.SequenceEqual("*"u8);
        _beginning = GlobMatch.LiteralLength(pattern[..Math.Min(pattern.Length, LongestBeginning)]);
    }

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
            SetPattern(context.Argument(index + 1));
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
