using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.SortedSets;

/// <summary>The arguments of ZUNION and its like: <c>numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE
/// word] [WITHSCORES] [LIMIT limit]</c>, of which each command has its own.</summary>
internal ref struct AlgebraRequest : IDisposable
{
    private ScratchSpan<ScoredSource> _opened;
    private PassSources? _passed;
    private int _count;

    /// <summary>The sets.</summary>
    public readonly Span<ScoredSource> Sources => _opened.Span;

    public ScoreAggregate Aggregate { get; private set; }

    public bool WithScores { get; private set; }

    /// <summary>Where counting ends; 0 for never.</summary>
    public long Limit { get; private set; }

    /// <summary>Reads the arguments and looks the keys up; answers Redis's error when something is wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="countAt">Index of the number of keys.</param>
    /// <param name="words">The words allowed.</param>
    /// <param name="request">What was read, to be disposed of.</param>
    public static bool TryParse(CommandContext context, int countAt, AlgebraWords words, out AlgebraRequest request)
    {
        request = default;
        if (!TryCount(context, countAt, out request._count))
        {
            return false;
        }

        request._opened = new ScratchSpan<ScoredSource>(context.Server.Shards.Budget, request._count);
        if (request.TryOpen(context, countAt + 1)
            && request.TryParseWords(context, countAt + 1 + request._count, words))
        {
            return true;
        }

        request.Dispose();
        return false;
    }

    /// <summary>Reads the number of keys; answers Redis's error when something is wrong with it.</summary>
    public static bool TryCount(CommandContext context, int countAt, out int count)
    {
        count = 0;
        if (!context.TryInteger(countAt, out var keys))
        {
            return false;
        }

        if (keys < 1)
        {
            context.Reply.Error($"ERR at least 1 input key is needed for '{context.Row.FullName}' command");
            return false;
        }

        if (keys > context.Count - countAt - 1)
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        count = (int)keys;
        return true;
    }

    /// <summary>Reads what stands behind keys that were looked up one by one; answers Redis's error when something is
    /// wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="index">The first argument behind the keys.</param>
    /// <param name="words">The words allowed.</param>
    /// <param name="sources">The sets, whose weights are set.</param>
    /// <param name="request">What was read.</param>
    public static bool TryParseWords(
        CommandContext context, int index, AlgebraWords words, PassSources sources, out AlgebraRequest request)
    {
        request = new AlgebraRequest { _passed = sources, _count = sources.Count };
        return request.TryParseWords(context, index, words);
    }

    /// <inheritdoc/>
    public void Dispose() => _opened.Dispose();

    private readonly bool TryOpen(CommandContext context, int first)
    {
        for (var i = 0; i < _count; i++)
        {
            if (!ScoredSource.TryOpen(context, context.KeyAt(first + i), i, out _opened.Span[i]))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryParseWords(CommandContext context, int index, AlgebraWords words)
    {
        while (index < context.Count)
        {
            var left = context.Count - index - 1;
            if ((words & AlgebraWords.Weights) != 0 && left >= _count && context.IsWord(index, "weights"u8))
            {
                if (!TryWeights(context, index + 1))
                {
                    return false;
                }

                index += 1 + _count;
            }
            else if ((words & AlgebraWords.Weights) != 0 && left >= 1 && context.IsWord(index, "aggregate"u8))
            {
                if (!TryAggregate(context, index + 1))
                {
                    return false;
                }

                index += 2;
            }
            else if ((words & AlgebraWords.Scores) != 0 && context.IsWord(index, "withscores"u8))
            {
                WithScores = true;
                index++;
            }
            else if ((words & AlgebraWords.Limit) != 0 && left >= 1 && context.IsWord(index, "limit"u8))
            {
                if (!TryLimit(context, index + 1))
                {
                    return false;
                }

                index += 2;
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    private readonly bool TryWeights(CommandContext context, int index)
    {
        for (var i = 0; i < _count; i++)
        {
            if (!DoubleParser.TryParse(context.Argument(index + i), out var weight))
            {
                context.Reply.Error("ERR weight value is not a float"u8);
                return false;
            }

            if (_passed == null)
            {
                _opened.Span[i] = _opened.Span[i] with { Weight = weight };
            }
            else
            {
                _passed[i].Weight = weight;
            }
        }

        return true;
    }

    private bool TryAggregate(CommandContext context, int index)
    {
        if (context.IsWord(index, "sum"u8))
        {
            Aggregate = ScoreAggregate.Sum;
        }
        else if (context.IsWord(index, "min"u8))
        {
            Aggregate = ScoreAggregate.Min;
        }
        else if (context.IsWord(index, "max"u8))
        {
            Aggregate = ScoreAggregate.Max;
        }
        else
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        return true;
    }

    private bool TryLimit(CommandContext context, int index)
    {
        if (!NumberParser.TryParseInt64(context.Argument(index), out var limit) || limit < 0)
        {
            context.Reply.Error("ERR LIMIT can't be negative"u8);
            return false;
        }

        Limit = limit;
        return true;
    }
}
