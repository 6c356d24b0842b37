using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Sorting;

/// <summary>The options of SORT and SORT_RO. Patterns and keys are given as positions among the arguments, 0 for none.
/// </summary>
internal struct SortOptions
{
    private const int FirstOption = 2;

    public bool IsDescending { get; private set; }

    /// <summary>Whether elements are compared as text.</summary>
    public bool IsAlpha { get; private set; }

    /// <summary>The pattern of the keys whose values are compared in place of the elements.</summary>
    public int ByIndex { get; private set; }

    /// <summary>Whether nothing is sorted: one of the patterns names one key for all elements.</summary>
    public bool IsUnsorted { get; private set; }

    /// <summary>The key that the result is stored at.</summary>
    public int StoreIndex { get; private set; }

    /// <summary>Number of GET options.</summary>
    public int GetCount { get; private set; }

    /// <summary>The first element of the result to give; may be negative.</summary>
    public long Start { get; private set; }

    /// <summary>The most elements to give; negative for all.</summary>
    public long Count { get; private set; }

    /// <summary>Reads the options; answers Redis's error when they are wrong.</summary>
    public static bool TryParse(CommandContext context, bool isReadOnly, out SortOptions options)
    {
        options = new SortOptions { Count = -1 };
        for (var i = FirstOption; i < context.Count;)
        {
            var word = WordAt(context.Request, i, isReadOnly, out var size);
            if (word == SortWord.None)
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (!options.TryAdd(context, word, i))
            {
                return false;
            }

            i += size;
        }

        return true;
    }

    /// <summary>Sorts by the elements' text in place of not at all: what is stored must not depend on the order of a
    /// hash table.</summary>
    public void SortByText()
    {
        IsUnsorted = false;
        IsAlpha = true;
        ByIndex = 0;
    }

    /// <summary>What elements are sorted by.</summary>
    public readonly SortPattern ByPattern(CommandContext context)
        => new(ByIndex, ByIndex == 0 ? default : context.Argument(ByIndex));

    /// <summary>The patterns of GET, in their order.</summary>
    public readonly SortPattern[] GetPatterns(CommandContext context)
    {
        var patterns = GetCount == 0 ? [] : new SortPattern[GetCount];
        for (var (i, index) = (0, 0); i < patterns.Length; i++)
        {
            index = NextGet(context.Request, index);
            patterns[i] = new SortPattern(index, context.Argument(index));
        }

        return patterns;
    }

    /// <summary>The position of the next GET pattern behind <paramref name="index"/>, which is 0 at first.</summary>
    public static int NextGet(in Request request, int index)
    {
        var i = index == 0 ? FirstOption : index + 1;
        while (WordAt(request, i, isReadOnly: false, out var size) != SortWord.Get)
        {
            i += size;
        }

        return i + 1;
    }

    /// <summary>Where the key of the last STORE is, which alone counts, if the request has one behind an argument: 0
    /// otherwise.</summary>
    public static int FindStore(Request request, int after)
        => Find(request, SortWord.Store) is var last && last > after ? last : 0;

    /// <summary>Whether a request looks up keys made of patterns.</summary>
    public static bool HasPatterns(in Request request)
    {
        for (var i = FirstOption; i < request.Count;)
        {
            var word = WordAt(request, i, isReadOnly: false, out var size);
            if (word is SortWord.By or SortWord.Get && request[i + 1].Contains((byte)'*'))
            {
                return true;
            }

            i += size;
        }

        return false;
    }

    private static int Find(in Request request, SortWord wanted)
    {
        var found = 0;
        for (var i = FirstOption; i < request.Count;)
        {
            found = WordAt(request, i, isReadOnly: false, out var size) == wanted ? i + 1 : found;
            i += size;
        }

        return found;
    }

    private static SortWord WordAt(in Request request, int index, bool isReadOnly, out int size)
    {
        var text = request[index];
        var word = NumberParser.IsWord(text, "asc"u8) ? SortWord.Ascending
            : NumberParser.IsWord(text, "desc"u8) ? SortWord.Descending
            : NumberParser.IsWord(text, "alpha"u8) ? SortWord.Alpha
            : NumberParser.IsWord(text, "limit"u8) ? SortWord.Limit
            : NumberParser.IsWord(text, "by"u8) ? SortWord.By
            : NumberParser.IsWord(text, "get"u8) ? SortWord.Get
            : NumberParser.IsWord(text, "store"u8) && !isReadOnly ? SortWord.Store
            : SortWord.None;
        size = word switch
        {
            SortWord.Limit => 3,
            SortWord.By or SortWord.Get or SortWord.Store => 2,
            _ => 1,
        };
        if (index + size <= request.Count)
        {
            return word;
        }

        size = 1;
        return SortWord.None;
    }

    /// <summary>Whether the client's user may read keys that the command does not name; answers an error if not.
    /// </summary>
    private static bool MayReadAll(CommandContext context, string option)
    {
        if (AccessCheck.MayReadAll(context.Session, context.Row, context.Request))
        {
            return true;
        }

        context.Reply.Error($"ERR {option} option of SORT denied due to insufficient ACL permissions.");
        return false;
    }

    private bool TryAdd(CommandContext context, SortWord word, int index)
    {
        switch (word)
        {
            case SortWord.Ascending or SortWord.Descending:
                IsDescending = word == SortWord.Descending;
                break;
            case SortWord.Alpha:
                IsAlpha = true;
                break;
            case SortWord.By:
                ByIndex = index + 1;
                if (!SortPattern.HasStar(context.Argument(ByIndex)))
                {
                    IsUnsorted = true;
                    break;
                }

                return MayReadAll(context, "BY");
            case SortWord.Get:
                GetCount++;
                return MayReadAll(context, "GET");
            case SortWord.Store:
                StoreIndex = index + 1;
                break;
            default:
                if (!context.TryInteger(index + 1, out var start) || !context.TryInteger(index + 2, out var count))
                {
                    return false;
                }

                Start = start;
                Count = count;
                break;
        }

        return true;
    }
}
