using System.Buffers;
using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>What ZADD, ZINCRBY and GEOADD do.</summary>
internal static class ScoreUpdate
{
    private const int FirstOption = 2;
    private const int MaxOnStack = 16;
    private const ScoreFlags AllFlags = ScoreFlags.Nx | ScoreFlags.Xx | ScoreFlags.Gt | ScoreFlags.Lt | ScoreFlags.Ch
        | ScoreFlags.Incr;

    /// <summary>What ZADD does, and with <see cref="ScoreFlags.Incr"/> ZINCRBY.</summary>
    public static void Execute(CommandContext context, ScoreFlags flags)
    {
        if (TryParse(context, ref flags, out var first))
        {
            Apply<GivenScore>(context, flags, first);
        }
    }

    /// <summary>Gives members their scores.</summary>
    /// <param name="context">The command.</param>
    /// <param name="flags">How.</param>
    /// <param name="first">The first argument of the first score; behind each stands its member.</param>
    /// <typeparam name="TScore">What the arguments before a member are.</typeparam>
    public static void Apply<TScore>(CommandContext context, ScoreFlags flags, int first)
        where TScore : IScoreArguments
    {
        if (AdditionPass.HasMany(context) && ScoreUpdatePass<TScore>.GoesOn(context, flags, first))
        {
            return;
        }

        var stride = TScore.Count + 1;
        var members = (context.Count - first) / stride;
        var rented = members > MaxOnStack ? ArrayPool<double>.Shared.Rent(members) : null;
        var scores = rented == null ? stackalloc double[MaxOnStack] : rented.AsSpan();
        scores = scores[..members];
        if (TryScores<TScore>(context, first, scores))
        {
            Update(context, flags, scores, first + TScore.Count, stride);
        }

        if (rented != null)
        {
            ArrayPool<double>.Shared.Return(rented);
        }
    }

    /// <summary>Reads the words before the scores.</summary>
    /// <param name="context">The command.</param>
    /// <param name="allowed">Those that there are.</param>
    /// <param name="flags">What they say is added.</param>
    /// <returns>The first argument behind them.</returns>
    public static int ReadFlags(CommandContext context, ScoreFlags allowed, ref ScoreFlags flags)
    {
        var first = FirstOption;
        for (; first < context.Count && (FlagOf(context, first) & allowed) is > 0 and var flag; first++)
        {
            flags |= flag;
        }

        return first;
    }

    private static bool TryParse(CommandContext context, ref ScoreFlags flags, out int first)
    {
        first = ReadFlags(context, AllFlags, ref flags);
        var count = context.Count - first;
        var isAbsolute = (flags & (ScoreFlags.Gt | ScoreFlags.Lt)) == 0;
        if (count == 0 || count % 2 != 0)
        {
            context.Reply.Error(Errors.Syntax);
        }
        else if ((flags & (ScoreFlags.Nx | ScoreFlags.Xx)) == (ScoreFlags.Nx | ScoreFlags.Xx))
        {
            context.Reply.Error("ERR XX and NX options at the same time are not compatible"u8);
        }
        else if ((flags.HasFlag(ScoreFlags.Nx) && !isAbsolute)
            || (flags & (ScoreFlags.Gt | ScoreFlags.Lt)) == (ScoreFlags.Gt | ScoreFlags.Lt))
        {
            context.Reply.Error("ERR GT, LT, and/or NX options at the same time are not compatible"u8);
        }
        else if (flags.HasFlag(ScoreFlags.Incr) && count > 2)
        {
            context.Reply.Error("ERR INCR option supports a single increment-element pair"u8);
        }
        else
        {
            return true;
        }

        return false;
    }

    private static ScoreFlags FlagOf(CommandContext context, int index)
        => context.Argument(index).Length is < 2 or > 4 ? ScoreFlags.None
            : context.IsWord(index, "nx"u8) ? ScoreFlags.Nx
            : context.IsWord(index, "xx"u8) ? ScoreFlags.Xx
            : context.IsWord(index, "gt"u8) ? ScoreFlags.Gt
            : context.IsWord(index, "lt"u8) ? ScoreFlags.Lt
            : context.IsWord(index, "ch"u8) ? ScoreFlags.Ch
            : context.IsWord(index, "incr"u8) ? ScoreFlags.Incr
            : ScoreFlags.None;

    private static bool TryScores<TScore>(CommandContext context, int first, Span<double> scores)
        where TScore : IScoreArguments
    {
        for (var i = 0; i < scores.Length; i++)
        {
            if (!TScore.TryRead(context, first + ((TScore.Count + 1) * i), out scores[i]))
            {
                return false;
            }
        }

        return true;
    }

    private static void Update(
        CommandContext context, ScoreFlags flags, ReadOnlySpan<double> scores, int firstMember, int stride)
    {
        if (SortedSetAccess.Edit(context, context.Key, out var editor) == Lookup.WrongType)
        {
            return;
        }

        var (added, updated) = (0, 0);
        var change = ScoreChange.None;
        var score = 0.0;
        for (var i = 0; i < scores.Length && change != ScoreChange.NotANumber; i++)
        {
            score = scores[i];
            change = Apply(ref editor, flags, context.Argument(firstMember + (stride * i)), ref score);
            added += change == ScoreChange.Added ? 1 : 0;
            updated += change == ScoreChange.Updated ? 1 : 0;
        }

        var isIncrement = flags.HasFlag(ScoreFlags.Incr);
        if (added + updated > 0)
        {
            editor.End(context.Change(isIncrement ? KeyEvent.ZIncr : KeyEvent.ZAdd));
        }

        if (!isIncrement)
        {
            context.Reply.Integer(flags.HasFlag(ScoreFlags.Ch) ? added + updated : added);
        }
        else if (change == ScoreChange.NotANumber)
        {
            context.Reply.Error("ERR resulting score is not a number (NaN)"u8);
        }
        else if (change == ScoreChange.None)
        {
            context.Reply.Null();
        }
        else
        {
            context.Reply.Double(score);
        }
    }

    /// <summary>Gives a member its score.</summary>
    /// <param name="set">The set.</param>
    /// <param name="flags">How.</param>
    /// <param name="member">The member.</param>
    /// <param name="score">The score, or what is added to it; then, what the member has.</param>
    public static ScoreChange Apply<T>(
        ref T set, ScoreFlags flags, ReadOnlySpan<byte> member, ref double score)
        where T : struct, IScoredElements
    {
        if (!set.TryFind(member, out var current))
        {
            if (flags.HasFlag(ScoreFlags.Xx))
            {
                return ScoreChange.None;
            }

            set.Insert(member, score);
            return ScoreChange.Added;
        }

        if (flags.HasFlag(ScoreFlags.Nx))
        {
            return ScoreChange.None;
        }

        score = flags.HasFlag(ScoreFlags.Incr) ? score + current : score;
        if (double.IsNaN(score))
        {
            return ScoreChange.NotANumber;
        }

        if ((flags.HasFlag(ScoreFlags.Lt) && score >= current) || (flags.HasFlag(ScoreFlags.Gt) && score <= current))
        {
            return ScoreChange.None;
        }

        if (score == current)
        {
            return ScoreChange.Same;
        }

        set.SetScore(score);
        return ScoreChange.Updated;
    }

    /// <summary>A score as ZADD is given it.</summary>
    private readonly struct GivenScore : IScoreArguments
    {
        /// <inheritdoc/>
        public static int Count => 1;

        /// <inheritdoc/>
        public static bool TryRead(CommandContext context, int index, out double score)
        {
            if (DoubleParser.TryParse(context.Argument(index), out score))
            {
                return true;
            }

            context.Reply.Error(Errors.NotFloat);
            return false;
        }
    }
}
