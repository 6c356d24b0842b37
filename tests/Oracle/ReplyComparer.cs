using System.Globalization;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// Says whether two servers' replies to a step are the same. Everything is compared exactly unless the command's
/// reply has a free order (then as a set), counts time (then within a tolerance), or is one of
/// <see cref="KnownDifferences"/>.
/// </summary>
internal static class ReplyComparer
{
    /// <summary>How far apart two servers may be asked for a time to live, in seconds.</summary>
    private const long ToleranceSeconds = 10;

    /// <summary>No collection has more elements.</summary>
    private const long DrawsAll = 1000;

    public static bool Same(OracleStep step, RespValue actual, RespValue expected)
    {
        if (actual.Equals(expected))
        {
            return true;
        }

        if (step.Kind == StepKind.RandomKey && actual.Items.Count == 2 && expected.Items.Count == 2)
        {
            // Of EXISTS: which key was drawn decides whether the user may name it.
            return actual.Items[1].IsError || expected.Items[1].IsError
                || SameReply(step.Commands[^1], actual.Items[1], expected.Items[1]);
        }

        if (step.ReplyCount == 1)
        {
            return SameReply(step.Commands[^1], actual, expected);
        }

        return actual.Items.Count == step.ReplyCount
            && expected.Items.Count == step.ReplyCount
            && Enumerable.Range(0, step.ReplyCount)
                .All(i => step.Commands[i].Verb == "EXEC"
                    ? SameReplies(step, i, actual, expected)
                    : SameReply(step.Commands[i], actual.Items[i], expected.Items[i]));
    }

    /// <summary>Compares what EXEC answers, reply by reply with the commands that were queued.</summary>
    private static bool SameReplies(OracleStep step, int exec, RespValue actual, RespValue expected)
    {
        var (own, others) = (actual.Items[exec], expected.Items[exec]);
        if (own.Equals(others))
        {
            return true;
        }

        if (own.IsError && others.IsError)
        {
            return KnownDifferences.AreSameErrors(own.Text, others.Text);
        }

        var queued = Enumerable.Range(0, exec).Where(i => actual.Items[i].Text == "QUEUED").ToList();
        return own.IsAggregate && others.IsAggregate && own.Items.Count == others.Items.Count
            && queued.Count >= own.Items.Count
            && Enumerable.Range(0, own.Items.Count).All(i => SameReply(
                step.Commands[queued[queued.Count - own.Items.Count + i]], own.Items[i], others.Items[i]));
    }

    private static bool SameReply(RespCommand command, RespValue actual, RespValue expected)
    {
        if (actual.Equals(expected))
        {
            return true;
        }

        if (actual.IsError || expected.IsError)
        {
            return actual.IsError && expected.IsError && KnownDifferences.AreSameErrors(actual.Text, expected.Text);
        }

        if ((ScriptsFamily.CalledBy(command) ?? FunctionsFamily.CalledBy(command)) is { } called)
        {
            return SameReply(called, actual, expected);
        }

        return command.Verb switch
        {
            // What a cursor stands for is each server's own, where a scan does not begin.
            "SSCAN" or "HSCAN" or "ZSCAN" when command.Arguments is not [_, _, [(byte)'0'], ..]
                => actual.Kind == expected.Kind,
            "TTL" or "EXPIRETIME" => SameTime(actual, expected, unitsPerSecond: 1),
            "PTTL" or "PEXPIRETIME" => SameTime(actual, expected, unitsPerSecond: 1000),
            "KEYS" or "HKEYS" or "HVALS" or "SMEMBERS" or "SINTER" or "SUNION" or "SDIFF" or "SPOP" or "SRANDMEMBER"
                or "SSCAN" => actual.Sorted(arraysToo: true).Equals(expected.Sorted(arraysToo: true)),
            "HGETALL" => actual.SortedPairs().Equals(expected.SortedPairs()),
            "HSCAN" => SameScan(actual, expected, isOfPairs: true),
            "SORT" or "SORT_RO" => SortReplies.Same(command, actual, expected),
            "HRANDFIELD" => Drawn(command, actual).Equals(Drawn(command, expected)),
            _ => KnownDifferences.Normalize(command, actual).Equals(KnownDifferences.Normalize(command, expected)),
        };
    }

    /// <summary>The cursors are compared, too: they are 0 where one call gives all.</summary>
    private static bool SameScan(RespValue actual, RespValue expected, bool isOfPairs)
        => actual.Items.Count == 2 && expected.Items.Count == 2
            && actual.Items[0].Equals(expected.Items[0])
            && (isOfPairs
                ? actual.Items[1].SortedPairs().Equals(expected.Items[1].SortedPairs())
                : actual.Items[1].Sorted(arraysToo: true).Equals(expected.Items[1].Sorted(arraysToo: true)));

    /// <summary>Elements drawn at random. Where all were asked for, they are the same ones, in any order; otherwise
    /// only their number is.</summary>
    private static RespValue Drawn(RespCommand command, RespValue reply)
    {
        var arguments = command.Arguments;
        if (arguments.Count < 3
            || !long.TryParse(arguments[2], CultureInfo.InvariantCulture, out var count)
            || count < DrawsAll)
        {
            return KnownDifferences.KindsOf(reply);
        }

        var isOfPairs = arguments.Count > 3 && reply.Items.All(item => !item.IsAggregate);
        return isOfPairs ? reply.SortedPairs() : reply.Sorted(arraysToo: true);
    }

    private static bool SameTime(RespValue actual, RespValue expected, long unitsPerSecond)
    {
        if (actual.Kind != RespKind.Integer || expected.Kind != RespKind.Integer)
        {
            return false;
        }

        // "None" and "gone" are exact, and so are the times that were given absolutely.
        var isExact = expected.Integer < 0
            || actual.Integer < 0
            || CommandPool.IsAbsolute(expected.Integer / unitsPerSecond);
        return !isExact && Math.Abs(actual.Integer - expected.Integer) <= ToleranceSeconds * unitsPerSecond;
    }
}
