using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>How XADD and XTRIM trim: <c>MAXLEN|MINID [=|~] threshold [LIMIT count]</c>, among the other options of
/// XADD.
/// </summary>
internal struct TrimArguments
{
    private const int DefaultLimitNodes = 100;
    private const long DefaultLimit = 10_000;
    private const long MostDefaultLimit = 1_000_000;

    /// <summary>Whether it is a length or an id that says how far; nothing is trimmed where neither was
    /// given.</summary>
    public TrimBound Bound { get; private set; }

    /// <summary>Whether only whole nodes go.</summary>
    public bool IsApproximate { get; private set; }

    /// <summary>The most entries to go, about; 0 for any number.</summary>
    public long Limit { get; private set; }

    /// <summary>XADD's NOMKSTREAM.</summary>
    public bool OnlyIfThere { get; private set; }

    /// <summary>XADD's id, as far as it was given.</summary>
    public StreamId Id { get; private set; }

    /// <summary>What of XADD's id was given.</summary>
    public NewIdForm IdForm { get; private set; }

    /// <summary>Index of the argument behind the options, which of XADD is the id.</summary>
    public int End { get; private set; }

    /// <summary>What goes, if something is to go.</summary>
    public readonly StreamTrim Trim
        => (Bound == TrimBound.Length ? StreamTrim.ToLength(_length) : StreamTrim.ToId(_minId)) with
        {
            IsApproximate = IsApproximate,
            Limit = Limit,
        };

    private long _length;
    private StreamId _minId;
    private bool _isLimitGiven;

    /// <summary>Reads the options from the second argument on. An error is answered.</summary>
    /// <param name="context">The command.</param>
    /// <param name="isAdd">Whether it is XADD, whose options end with an id.</param>
    /// <param name="trim">What was read.</param>
    public static bool TryParse(CommandContext context, bool isAdd, out TrimArguments trim)
    {
        trim = new TrimArguments { End = 2 };
        while (trim.End < context.Count)
        {
            var before = trim.End;
            if (!trim.TryOption(context, isAdd))
            {
                return false;
            }

            if (trim.End == before)
            {
                break;
            }
        }

        return trim.TryFinish(context, isAdd);
    }

    /// <summary>Trims a stream.</summary>
    /// <returns>How many entries have gone.</returns>
    public readonly long Apply(ref StreamEditor stream) => Bound == TrimBound.None ? 0 : stream.Trim(Trim);

    /// <summary>How many arguments <see cref="Tell"/> tells.</summary>
    public readonly int EffectCount => Bound == TrimBound.None ? 0 : 3;

    /// <summary>Tells how a stream was trimmed, as it came to be: what of it stays is cut off exactly.</summary>
    /// <param name="effects">Who is told, within an effect.</param>
    /// <param name="stream">The stream by now.</param>
    public readonly void Tell(ICommandEffects effects, in StreamView stream)
    {
        if (Bound == TrimBound.None)
        {
            return;
        }

        // Of one that was emptied there is no lowest id.
        var isLength = Bound == TrimBound.Length || stream.Count == 0;
        effects.Argument(isLength ? "MAXLEN"u8 : "MINID"u8);
        effects.Argument("="u8);
        if (isLength)
        {
            effects.Argument(stream.Count);
        }
        else
        {
            StreamEffects.Id(effects, stream.FirstId);
        }
    }

    /// <summary>Reads an option at <see cref="End"/>, which is behind it then, or stays where there is none.</summary>
    private bool TryOption(CommandContext context, bool isAdd)
    {
        var hasMore = End + 1 < context.Count;
        if (isAdd && StreamIdText.Seen(context.Argument(End)) is [(byte)'*'])
        {
            IdForm = NewIdForm.Automatic;
            return true;
        }

        if (hasMore && context.IsWord(End, "maxlen"u8))
        {
            return TryThreshold(context, TrimBound.Length);
        }

        if (hasMore && context.IsWord(End, "minid"u8))
        {
            return TryThreshold(context, TrimBound.Id);
        }

        if (hasMore && context.IsWord(End, "limit"u8))
        {
            return TryLimit(context);
        }

        if (!isAdd)
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        if (context.IsWord(End, "nomkstream"u8))
        {
            OnlyIfThere = true;
            End++;
            return true;
        }

        var isId = StreamArguments.TryNewId(context, End, out var id, out var isStar);
        Id = id;
        IdForm = isStar ? NewIdForm.AutomaticSequence : NewIdForm.Whole;
        return isId;
    }

    private bool TryThreshold(CommandContext context, TrimBound bound)
    {
        if (Bound != TrimBound.None)
        {
            context.Reply.Error(
                "ERR syntax error, MAXLEN and MINID options at the same time are not compatible"u8);
            return false;
        }

        var at = End + 1;
        IsApproximate = false;
        if (at + 1 < context.Count && StreamIdText.Seen(context.Argument(at)) is [var sign]
            && sign is (byte)'~' or (byte)'=')
        {
            IsApproximate = sign == '~';
            at++;
        }

        if (bound == TrimBound.Id)
        {
            if (!StreamArguments.TryId(context, at, out _minId))
            {
                return false;
            }
        }
        else if (!context.TryInteger(at, out _length))
        {
            return false;
        }
        else if (_length < 0)
        {
            context.Reply.Error("ERR The MAXLEN argument must be >= 0."u8);
            return false;
        }

        Bound = bound;
        End = at + 1;
        return true;
    }

    private bool TryLimit(CommandContext context)
    {
        if (!context.TryInteger(End + 1, out var limit))
        {
            return false;
        }

        if (limit < 0)
        {
            context.Reply.Error("ERR The LIMIT argument must be >= 0."u8);
            return false;
        }

        Limit = limit;
        _isLimitGiven = true;
        End += 2;
        return true;
    }

    private bool TryFinish(CommandContext context, bool isAdd)
    {
        if (Limit > 0 && Bound == TrimBound.None)
        {
            context.Reply.Error(
                "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy"u8);
            return false;
        }

        if (!isAdd && Bound == TrimBound.None)
        {
            context.Reply.Error("ERR syntax error, XTRIM must be called with a trimming strategy"u8);
            return false;
        }

        if (_isLimitGiven && !IsApproximate && !context.Session.IsLoader)
        {
            context.Reply.Error("ERR syntax error, LIMIT cannot be used without the special ~ option"u8);
            return false;
        }

        if (context.Session.IsLoader)
        {
            Limit = 0; // What was trimmed stands in the journal as it came to be.
        }
        else if (!_isLimitGiven && IsApproximate)
        {
            var entries = context.Server.Configuration.Current.StreamNodeMaxEntries;
            Limit = entries <= 0 ? DefaultLimit
                : entries >= MostDefaultLimit / DefaultLimitNodes ? MostDefaultLimit
                : entries * DefaultLimitNodes;
        }

        return true;
    }
}
