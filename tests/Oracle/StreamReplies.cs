using System.Text.RegularExpressions;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>What is compared of the replies of commands on streams.</summary>
internal static partial class StreamReplies
{
    /// <summary>Entries that were given before this, which only commands can have said, count as given long
    /// ago.</summary>
    private const long LongMs = 200_000;

    private static readonly RespValue s_time = RespValue.Simple("(a time)");

    /// <summary>The reply without what depends on the clock, on each server's structures, or on Redis 7.0, where 7.2
    /// tells more.</summary>
    public static RespValue Normalize(RespCommand command, RespValue reply) => command.Verb switch
    {
        "XPENDING" when command.Arguments.Count > 3 => EachPending(reply),
        "XINFO" when command.Subcommand == "CONSUMERS" => new RespValue(
            reply.Kind, [.. reply.Items.Select(consumer => WithoutTimes(consumer))]),
        "XINFO" when command.Subcommand == "STREAM" => Stream(WithoutClock(reply)),
        _ => WithoutClock(reply),
    };

    /// <summary>What XINFO STREAM FULL tells of a stream that stays over a restart, with any server.</summary>
    public static RespValue Lasting(RespValue stream) => Fields(stream, (name, value) => name switch
    {
        "radix-tree-keys" or "radix-tree-nodes" => null,
        "groups" => new RespValue(value.Kind, [.. value.Items.Select(group => Fields(group, LastingOfGroup))]),
        _ => value,
    });

    private static RespValue LastingOfGroup(string name, RespValue value) => name switch
    {
        "consumers" => new RespValue(value.Kind, [.. value.Items.Select(consumer => Fields(
            consumer, (field, told) => field is "seen-time" or "active-time" ? null : told))]),
        _ => value,
    };

    /// <summary>Ids that the server has made of its clock are any of such.</summary>
    private static RespValue WithoutClock(RespValue reply)
        => reply.IsAggregate ? new RespValue(reply.Kind, [.. reply.Items.Select(WithoutClock)])
            : reply.Kind == RespKind.BulkString && IdOfNow().IsMatch(reply.Text) ? s_time
            : reply;

    private static RespValue EachPending(RespValue reply)
        => new(reply.Kind, [.. reply.Items.Select(entry => entry.Items.Count == 4
            ? new RespValue(entry.Kind, [entry.Items[0], entry.Items[1], Idle(entry.Items[2]), entry.Items[3]])
            : entry)]);

    private static RespValue Idle(RespValue idle) => RespValue.Simple(idle.Integer >= LongMs ? "long" : "lately");

    /// <summary>Redis 7.2 tells "inactive" of a consumer, too, and the time of its last entry.</summary>
    private static RespValue WithoutTimes(RespValue consumer) => Fields(consumer, (name, value) => name switch
    {
        "inactive" or "active-time" => null,
        "idle" or "seen-time" => s_time,
        "pending" when value.IsAggregate => Delivered(value, place: 1),
        _ => value,
    });

    private static RespValue Stream(RespValue reply) => Fields(reply, (name, value) => name switch
    {
        // Strata has another tree.
        "radix-tree-nodes" => s_time,
        "groups" when value.IsAggregate => new RespValue(value.Kind, [.. value.Items.Select(Group)]),
        _ => value,
    });

    private static RespValue Group(RespValue group) => Fields(group, (name, value) => name switch
    {
        "pending" => Delivered(value, place: 2),
        "consumers" => new RespValue(value.Kind, [.. value.Items.Select(WithoutTimes)]),
        _ => value,
    });

    private static RespValue Delivered(RespValue pending, int place)
        => new(pending.Kind, [.. pending.Items.Select(entry => new RespValue(
            entry.Kind, [.. entry.Items.Select((item, i) => i == place ? Moment(item) : item)]))]);

    private static RespValue Moment(RespValue time)
        => DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() - time.Integer < LongMs
            ? s_time
            : RespValue.Simple("long ago");

    private static RespValue Fields(RespValue reply, Func<string, RespValue, RespValue?> normalize)
    {
        var kept = new List<RespValue>();
        for (var i = 0; i + 1 < reply.Items.Count; i += 2)
        {
            if (normalize(reply.Items[i].Text, reply.Items[i + 1]) is { } value)
            {
                kept.AddRange([reply.Items[i], value]);
            }
        }

        return reply.Items.Count % 2 == 0 ? new RespValue(reply.Kind, kept) : reply;
    }

    [GeneratedRegex("^1[6-9][0-9]{11}-[0-9]+$")]
    private static partial Regex IdOfNow();
}
