using NUnit.Framework;
using Strata.Server.Persistence;
using Strata.Server.Rdb;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal;
using Strata.Tests.Server.Rdb;

namespace Strata.Tests.Server.Persistence;

/// <summary>Keys as the commands that make them, as in the base of an append-only file without RDB.</summary>
[TestFixture]
internal sealed class CommandEntriesTests
{
    private static readonly string[] s_flags =
        ["--workers", "1", "--shards", "1", "--enable-debug-command", "yes"];

    [Test]
    public void Another_server_that_executes_them_has_the_same_data([Values(1, 2, 3)] int seed)
    {
        using var first = new ServerInProcess(device: null, s_flags);
        using var second = new ServerInProcess(device: null, s_flags);
        using var source = first.Connect();
        using var target = second.Connect();
        var random = new Random(seed);
        for (var i = 0; i < 100; i++)
        {
            var type = RandomValue.Types[random.Next(RandomValue.Types.Length)];
            var size = random.Next(1, 1 << random.Next(1, 12));
            foreach (var command in RandomValue.Make(random, type, $"key {i}", size, 90))
            {
                Assert.That(source.Call(command).IsError, Is.False);
            }

            if (random.Next(3) == 0)
            {
                source.Call("PEXPIREAT", $"key {i}", "4000000000000");
            }
        }

        byte[] written = [];
        first.Visit(shard => written = Write(shard, random));
        target.SendRaw(written);
        foreach (var command in AofText.CommandsOf(written))
        {
            Assert.That(target.ReadReply().IsError, Is.False, command);
        }

        Assert.That(target.Call("DEBUG", "DIGEST").Text, Is.EqualTo(source.Call("DEBUG", "DIGEST").Text));
    }

    [Test]
    public void A_command_has_up_to_64_elements_or_fewer_long_ones()
    {
        using var server = new ServerInProcess(device: null, s_flags);
        using var client = server.Connect();
        client.Call(["RPUSH", "list", .. Enumerable.Range(0, 130).Select(i => $"{i}")]);
        client.Call(["RPUSH", "long", .. Enumerable.Range(0, 5).Select(i => new string((char)('a' + i), 30_000))]);
        client.Call("ZADD", "scores", "-inf", "low", "0.1", "mid", "1e300", "high");
        client.Call("SADD", "numbers", "1", "2", "3");
        client.Call("HSET", "hash", "a", "1", "b", "2");
        client.Call("HPEXPIREAT", "hash", "4000000000000", "FIELDS", "1", "b");
        client.Call("SET", "empty", "", "PXAT", "4000000000000");
        byte[] written = [];
        server.Visit(shard => written = Write(shard, new Random(1)));
        var commands = AofText.CommandsOf(written);
        Assert.That(commands.Where(command => command.StartsWith("RPUSH list ", StringComparison.Ordinal))
            .Select(command => command.Split(' ').Length - 2), Is.EqualTo((int[])[64, 64, 2]));
        Assert.That(commands.Where(command => command.StartsWith("RPUSH long ", StringComparison.Ordinal))
            .Select(command => command.Split(' ').Length - 2), Is.EqualTo((int[])[3, 2]));
        Assert.That(commands, Does.Contain("ZADD scores -inf low 0.1 mid 1e+300 high"));
        Assert.That(commands, Does.Contain("SADD numbers 1 2 3"));
        Assert.That(commands, Does.Contain("HSET hash a 1 b 2"));
        Assert.That(commands, Does.Contain("HPEXPIREAT hash 4000000000000 FIELDS 1 b"));
        Assert.That(commands, Does.Contain("SET empty "));
        Assert.That(commands, Does.Contain("PEXPIREAT empty 4000000000000"));
    }

    /// <summary>All keys of a shard, each in steps of any length, after which what stands by itself must.</summary>
    private static byte[] Write(Shard shard, Random random)
    {
        using var entries = new CommandEntries(shard.Budget);
        using var output = new RdbOutput(shard.Budget);
        var written = new List<byte>();
        var walk = new KeyWalk(shard, database: 0, cold: null);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out var record))
            {
                entries.Begin(record, output);
                var isWhole = false;
                while (!isWhole)
                {
                    isWhole = entries.Step(record, output, random.Next(1, 300));
                    if (isWhole || (entries.StandsByItself && random.Next(4) == 0))
                    {
                        Assert.That(() => AofText.CommandsOf(output.Written.ToArray()), Throws.Nothing);
                        written.AddRange(output.Written);
                        output.Clear();
                    }
                }
            }
        }
        while (walk.Cursor != 0);
        return [.. written];
    }
}
