using NUnit.Framework;
using Strata.Tests.Server.Execution;
using Strata.Tests.Simulation;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Server.Changes;

/// <summary>Commands that run out of memory at each point where they take some: the error is answered, whoever applies
/// only what is told has the shard's data, no collection is left without elements, and the server goes on.</summary>
internal sealed class InterruptedChangeTests
{
    // Each has a slab of its class, or a block, to itself: so there is a point between any two elements.
    private static readonly int[] s_sizes = [30, 200, 500, 1000, 1500, 3500, 6000, 9000, 12000];

    private static readonly string s_elements = Join(' ', size => Text(size));
    private static readonly string s_others = Join(' ', size => Text(size, 'o'));
    private static readonly string s_fields = Join(' ', size => $"f{size} {Text(size)}");
    private static readonly string s_names = Join(' ', size => $"f{size}");
    private static readonly string s_scored = Join(' ', size => $"{size} {Text(size)}");
    private static readonly string s_otherScores = Join(' ', size => $"{100_000 - size} {Text(size)}");
    private static readonly string s_pairs = Join(' ', size => $"k{size} {Text(size)}");

    /// <summary>Options by which collections stay packed: each element makes the record longer.</summary>
    private static readonly string[] s_packed =
    [
        "--hash-max-listpack-value", "20000", "--set-max-listpack-value", "20000", "--zset-max-listpack-value", "20000",
    ];

    /// <summary>What is there before, and the command.</summary>
    private static readonly string[][] s_cases =
    [
        [$"HSET k {s_fields}"],
        [$"HMSET k {s_fields}"],
        ["HSET k a b", $"HSET k {s_fields}"],
        [$"HSET k {s_fields}", $"HSET k {Join(' ', size => $"f{size} {Text(13_000 - size)}")}"],
        [$"HSET k {s_fields}", $"HPEXPIRE k 100000 FIELDS {s_sizes.Length} {s_names}"],
        [
            $"HSET k {s_fields}", $"HPEXPIRE k 100000 FIELDS {s_sizes.Length} {s_names}",
            $"HPERSIST k FIELDS {s_sizes.Length} {s_names}",
        ],
        [$"HSET k {s_fields}", $"HPEXPIREAT k 1 FIELDS {s_sizes.Length} {s_names}"],
        [$"HSET k {s_fields}", $"HDEL k {s_names}"],
        [$"HSETNX k f {Text(3000)}"],
        ["HINCRBY k f 1"],
        [$"SADD k {s_elements}"],
        ["SADD k 1 2 3", $"SADD k 4 70000 5000000000 {s_elements}"],
        [$"SADD k {s_elements}", $"SADD k {s_others}"],
        [$"SADD k {s_elements}", $"SREM k {s_elements}"],
        [$"SADD k {s_elements}", "SPOP k 5"],
        [$"SADD k {s_elements}", $"SADD d {s_others}", $"SMOVE k d {Text(3500)}"],
        [$"SADD k {s_elements}", "SADD d x", "SUNIONSTORE d k d"],
        [$"SADD k {s_elements}", "SADD d x", "SINTERSTORE d k k"],
        [$"SADD k {s_elements}", "SADD d x", "SDIFFSTORE d k d"],
        [$"ZADD k {s_scored}"],
        ["ZADD k 5 five", $"ZADD k {s_scored}"],
        [$"ZADD k {s_scored}", $"ZADD k {s_otherScores}"],
        [$"ZADD k {s_scored}", $"ZREM k {s_elements}"],
        [$"ZADD k {s_scored}", "ZREMRANGEBYRANK k 2 5"],
        [$"ZADD k {s_scored}", "ZPOPMIN k 5"],
        [$"ZADD k {s_scored}", "ZADD d 1 x", "ZUNIONSTORE d 2 k d"],
        [$"ZADD k {s_scored}", "ZADD d 1 x", "ZINTERSTORE d 2 k k"],
        [$"ZADD k {s_scored}", "ZADD d 1 x", "ZDIFFSTORE d 2 k d"],
        [$"ZADD k {s_scored}", "ZADD d 1 x", "ZRANGESTORE d k 0 -1"],
        [$"RPUSH k {s_elements}"],
        [$"LPUSH k {s_elements}"],
        ["RPUSH k a b", $"RPUSHX k {s_elements}"],
        ["RPUSH k a b", $"LPUSHX k {s_elements}"],
        [$"RPUSH k {s_elements}", $"RPUSH d {s_others}", "LMOVE k d LEFT RIGHT"],
        [$"RPUSH k {s_elements}", "LMOVE k k RIGHT LEFT"],
        [$"RPUSH k {s_elements}", $"LSET k 4 {Text(13_000)}"],
        [$"RPUSH k {s_elements}", $"LINSERT k BEFORE {Text(1000)} {Text(13_000)}"],
        [$"RPUSH k {s_elements} {s_elements}", $"LREM k 0 {Text(1000)}"],
        [$"RPUSH k {s_elements}", "LTRIM k 3 5"],
        [$"RPUSH k {s_elements}", "LPOP k 5"],
        [$"RPUSH k {s_elements}", "SORT k ALPHA STORE d"],
        [$"MSET {s_pairs}"],
        [$"MSETNX {s_pairs}"],
        [$"SET k {Text(12_000)}", $"SET l {Text(9000)}", "BITOP OR d k l"],
        [$"SET k {Text(9000)}", $"APPEND k {Text(12_000)}"],
        [$"SET k {Text(9000)}", "RENAME k d"],
        [$"RPUSH k {s_elements}", "COPY k d"],
        [$"HSET k {s_fields}", "MOVE k 1"],
    ];

    [Test]
    public void A_command_that_runs_out_of_memory_tells_what_it_has_changed([Values] bool arePacked)
    {
        var memory = new RefusedMemory();
        using var server = new TurnServer(1, RefusedMemory.Wrap, device: null, arePacked ? s_packed : []);
        var context = server.Server.Context;
        memory.Attach(context.Shards.Budget);
        var mirrors = context.Shards.All.ToArray()
            .Select(shard => new ChangeMirror(shard, context.Databases)).ToList();
        var client = server.Connect();
        var failed = s_cases.Count(steps => Refuse(steps) > 0);
        Assert.That(failed, Is.GreaterThan(s_cases.Length / 2));

        // As often as the command takes memory.
        int Refuse(string[] steps)
        {
            for (var granted = 0; ; granted++)
            {
                _ = client.Call(["FLUSHALL", .. steps[..^1]]);
                var (left, before) = (granted, memory.Refusals);
                memory.Refuses = () => left-- <= 0;
                var reply = client.Call(steps[^1]).Single();
                memory.Refuses = null;
                var name = $"{ReplyText.Shorten(steps[^1])}, after {granted}";
                Assert.That(reply, reply[0] == '-' ? Does.StartWith("-OOM") : Is.Not.Empty, name);
                mirrors.ForEach(mirror => mirror.Compare(name));
                foreach (var shard in context.Shards.All)
                {
                    Assert.That(ShardAudit.FirstFault(shard, server.Clock.NowMs), Is.Null, name);
                }

                client.Expect(["PING"], "+PONG");
                if (memory.Refusals == before)
                {
                    return granted;
                }
            }
        }
    }

    private static string Text(int length, char letter = 'x') => new(letter, length);

    private static string Join(char separator, Func<int, string> each) => string.Join(separator, s_sizes.Select(each));
}
