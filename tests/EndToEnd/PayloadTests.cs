using System.Text;
using NUnit.Framework;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Rdb;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What DUMP of one server gives the other takes by RESTORE, and the value is the same.</summary>
[TestFixture]
internal sealed class PayloadTests
{
    private static readonly int[] s_sizes = [1, 2, 5, 40, 129, 513, 3000];
    private static readonly int[] s_longest = [3, 30, 65, 300, 9000];

    [Test]
    public void Redis_restores_what_strata_dumps(
        [ValueSource(typeof(RandomValue), nameof(RandomValue.Types))] string type)
    {
        using var redisProcess = ServerProcess.Start(ServerKind.Redis, "--enable-debug-command", "yes");
        using var strataServer = new ServerInProcess(device: null, "--enable-debug-command", "yes");
        using var redis = redisProcess.Connect();
        using var strata = strataServer.Connect();
        var random = new Random(type.Length);
        foreach (var size in s_sizes)
        {
            foreach (var longest in s_longest)
            {
                if ((long)size * longest > 3_000_000)
                {
                    continue;
                }

                var commands = RandomValue.Make(random, type, "k", size, longest);
                Fill(redis, commands);
                Fill(strata, commands);
                var payload = strata.Call("DUMP", "k").Bytes;
                var reply = redis.Call(new RespCommand([.. Words("RESTORE", "copy", "0"), payload]));
                Assert.That(reply.Text, Is.EqualTo("OK"), $"{type} of {size} elements of {longest} bytes");
                var digests = redis.Call("DEBUG", "DIGEST-VALUE", "k", "copy").Items;
                Assert.That(digests[1].Text, Is.EqualTo(digests[0].Text), $"{type}, {size}, {longest}");
                redis.Call("FLUSHALL");
                strata.Call("FLUSHALL");
            }
        }
    }

    /// <summary>What was restored is dumped again and given back to Redis, which tells whether it is the same.
    /// </summary>
    [Test]
    public void Strata_restores_what_redis_dumps(
        [ValueSource(typeof(RandomValue), nameof(RandomValue.Types))] string type)
    {
        using var redisProcess = ServerProcess.Start(ServerKind.Redis, "--enable-debug-command", "yes");
        using var strataServer = new ServerInProcess(device: null, "--enable-debug-command", "yes");
        using var redis = redisProcess.Connect();
        using var strata = strataServer.Connect();
        var random = new Random(type.Length);
        foreach (var size in s_sizes)
        {
            foreach (var longest in s_longest)
            {
                if ((long)size * longest > 3_000_000)
                {
                    continue;
                }

                Configure(redis, random);
                Fill(redis, RandomValue.Make(random, type, "k", size, longest));
                var payload = redis.Call("DUMP", "k").Bytes;
                var reply = strata.Call(new RespCommand([.. Words("RESTORE", "k", "0"), payload]));
                Assert.That(reply.Text, Is.EqualTo("OK"), $"{type} of {size} elements of {longest} bytes");
                var again = strata.Call("DUMP", "k").Bytes;
                reply = redis.Call(new RespCommand([.. Words("RESTORE", "copy", "0"), again]));
                Assert.That(reply.Text, Is.EqualTo("OK"));
                var digests = redis.Call("DEBUG", "DIGEST-VALUE", "k", "copy").Items;
                Assert.That(digests[1].Text, Is.EqualTo(digests[0].Text), $"{type}, {size}, {longest}");
                Assert.That(strata.Call("DEBUG", "DIGEST-VALUE", "k").Items[0].Text, Is.EqualTo(digests[0].Text));
                redis.Call("FLUSHALL");
                strata.Call("FLUSHALL");
            }
        }
    }

    [Test]
    public void Digests_of_all_data_are_those_of_redis()
    {
        using var redisProcess = ServerProcess.Start(ServerKind.Redis, "--enable-debug-command", "yes");
        using var strataServer = new ServerInProcess(device: null, "--enable-debug-command", "yes", "--workers", "2");
        using var redis = redisProcess.Connect();
        using var strata = strataServer.Connect();
        Assert.That(strata.Call("DEBUG", "DIGEST").Text, Is.EqualTo(redis.Call("DEBUG", "DIGEST").Text));
        var random = new Random(8);
        foreach (var database in new[] { "0", "3", "15" })
        {
            List<RespCommand> commands = [RespCommand.Of("SELECT", database)];
            for (var i = 0; i < 60; i++)
            {
                var type = RandomValue.Types[random.Next(RandomValue.Types.Length)];
                commands.AddRange(RandomValue.Make(random, type, $"k{i}", random.Next(1, 300), 80));
                if (random.Next(2) == 0)
                {
                    commands.Add(RespCommand.Of("EXPIRE", $"k{i}", "100000"));
                }
            }

            Fill(redis, commands);
            Fill(strata, commands);
        }

        var digest = redis.Call("DEBUG", "DIGEST").Text;
        Assert.That(strata.Call("DEBUG", "DIGEST").Text, Is.EqualTo(digest));
        strata.Call("MULTI");
        strata.Call("DEBUG", "DIGEST");
        Assert.That(strata.Call("EXEC").Items[0].Text, Is.EqualTo(digest));
        strata.Call("DEL", "k1", "k2", "k3");
        Assert.That(strata.Call("DEBUG", "DIGEST").Text, Is.Not.EqualTo(digest));
    }

    [Test]
    public void A_key_that_is_not_there_has_no_payload()
    {
        using var server = new ServerInProcess(device: null);
        using var client = server.Connect();
        Assert.That(client.Call("DUMP", "none").Kind, Is.EqualTo(RespKind.NullBulk));
    }

    /// <summary>Has Redis write the forms that other settings make.</summary>
    private static void Configure(RespConnection redis, Random random)
    {
        string[] sizes = ["-5", "-2", "-1", "0", "4", "128"];
        redis.Call("CONFIG", "SET", "list-max-listpack-size", sizes[random.Next(sizes.Length)]);
        redis.Call("CONFIG", "SET", "list-compress-depth", $"{random.Next(3)}");
        redis.Call("CONFIG", "SET", "set-max-intset-entries", $"{random.Next(4) * 400}");
        redis.Call("CONFIG", "SET", "hash-max-listpack-entries", $"{random.Next(5) * 300}");
        redis.Call("CONFIG", "SET", "hash-max-listpack-value", $"{random.Next(3) * 4000}");
        redis.Call("CONFIG", "SET", "zset-max-listpack-entries", $"{random.Next(5) * 300}");
        redis.Call("CONFIG", "SET", "zset-max-listpack-value", $"{random.Next(3) * 4000}");
        redis.Call("CONFIG", "SET", "rdbcompression", random.Next(2) == 0 ? "yes" : "no");
    }

    private static void Fill(RespConnection server, List<RespCommand> commands)
    {
        foreach (var command in commands)
        {
            var reply = server.Call(command);
            Assert.That(reply.IsError, Is.False, reply.Text);
        }
    }

    private static byte[][] Words(params string[] words) => [.. words.Select(Encoding.Latin1.GetBytes)];
}
