using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Clients that have the journal told more than it can write at once: as <see cref="AttackMemoryTests"/>, the
/// server's memory stays within the limit, what may be held beyond, and what the runtime needs.</summary>
[TestFixture]
internal sealed class JournalMemoryTests() : JournalFixture(workers: "2")
{
    private const long LimitBytes = 64 << 20;
    private const long SlackBytes = (LimitBytes / 8) + (32 << 20);
    private const int Clients = 6;
    private const int TimeoutMs = 120_000;

    private static readonly string s_value = new('v', 1_000_000);

    /// <summary>What a script tells waits until it ends.</summary>
    [Test]
    public void Holds_its_limit_while_scripts_write_much()
        => AssertHolds(static (client, number) =>
        {
            const string Script = "for i = 1, 200 do redis.call('SET', 'key:' .. (i % 3), ARGV[1]) end return 'done'";
            var reply = client.Call("EVAL", Script, "0", s_value);
            Assert.That(reply.IsError ? reply.Text : "OOM", Does.StartWith("OOM"));
        });

    /// <summary>So does what commands tell that take no other memory.</summary>
    [Test]
    public void Holds_its_limit_while_scripts_change_long_keys()
        => AssertHolds(static (client, number) =>
        {
            const string Script = "redis.call('SET', KEYS[1], 'v') "
                + "for i = 1, 500 do redis.call('EXPIRE', KEYS[1], 1000 + i) end return 'done'";
            var reply = client.Call("EVAL", Script, "1", $"{number}{s_value}");
            Assert.That(reply.IsError ? reply.Text : "OOM", Does.StartWith("OOM"));
        });

    [Test]
    public void Holds_its_limit_while_transactions_write_much()
        => AssertHolds(static (client, number) =>
        {
            _ = client.Call("MULTI");
            for (var i = 0; i < 40; i++)
            {
                _ = client.Call("SET", $"key:{number}", s_value);
            }

            var reply = client.Call("EXEC");
            Assert.That(reply.IsError ? reply.Text : "EXECABORT", Does.StartWith("EXECABORT"));
        });

    [Test]
    public void Holds_its_limit_while_large_values_are_pipelined()
        => AssertHolds(static (client, number) =>
        {
            const int Values = 100;
            var set = RespCommand.Of("SET", $"key:{number}", s_value).Encode();
            var send = Task.Run(() =>
            {
                for (var i = 0; i < Values; i++)
                {
                    client.SendRaw(set);
                }
            });
            for (var i = 0; i < Values; i++)
            {
                Assert.That(client.ReadReply().Text, Is.EqualTo("OK").Or.StartsWith("OOM"));
            }

            send.Wait();
        });

    /// <summary>A value that would not be there beside what it was received in, and what the journal is told of it; and
    /// one that would, after which the journal takes others.</summary>
    [Test]
    public void Holds_its_limit_while_values_are_huge()
        => AssertHolds(static (client, number) =>
        {
            if (number == 0)
            {
                var reply = client.Call("SET", "key", new string('v', 60_000_000));
                Assert.That(reply.Text, Does.StartWith("OOM"));
                Assert.That(client.Call("SET", "key", new string('v', 20_000_000)).Text, Is.EqualTo("OK"));
                Assert.That(client.Call("SET", "other", "value").Text, Is.EqualTo("OK"));
            }
        });

    /// <summary>A limit is for what is new: nothing that was answered is lost to it.</summary>
    [Test]
    public void What_was_written_is_there_again_under_a_lower_limit(
        [Values("no", "yes")] string tier, [Values] bool rewrites)
    {
        const int Appends = 8;
        const int Sets = 500;
        using (var server = Start("--appendonly", "yes", "--storage-tier", tier, "--maxmemory", "192mb"))
        using (var client = server.Connect())
        {
            for (var i = 0; i < 3 * Appends; i++)
            {
                Assert.That(client.Call("APPEND", $"long:{i % 3}", s_value + s_value).IsError, Is.False);
            }

            for (var i = 0; i < Sets; i++)
            {
                Assert.That(client.Call("SET", $"key:{i}", s_value[..10_000]).Text, Is.EqualTo("OK"));
            }

            if (rewrites)
            {
                Assert.That(client.Call("BGREWRITEAOF").IsError, Is.False);
                ServerInfo.WaitFor(client, "persistence", "aof_rewrite_in_progress", 0);
            }

            Assert.That(client.Call("WAITAOF", "1", "0", "0").Items[0].Integer, Is.EqualTo(1));
            server.Kill();
        }

        using var again = Start("--appendonly", "yes", "--storage-tier", tier, "--maxmemory", "24mb");
        using var reader = again.Connect();
        Assert.That(reader.Call("DBSIZE").Integer, Is.EqualTo(Sets + 3));
        for (var i = 0; i < 3; i++)
        {
            Assert.That(reader.Call("STRLEN", $"long:{i}").Integer, Is.EqualTo(2 * Appends * s_value.Length));
        }
    }

    private void AssertHolds(Action<RespConnection, int> attack)
    {
        long keys;
        using (var server = Start("--appendonly", "yes", "--maxmemory", $"{LimitBytes}"))
        {
            var idle = server.ResidentBytes();
            var peak = ResidentPeak.Of(server, () => Parallel.For(
                0,
                Clients,
                new ParallelOptions { MaxDegreeOfParallelism = Clients },
                number =>
                {
                    using var client = server.Connect(TimeoutMs);
                    attack(client, number);
                }));
            Assert.That((peak - idle) >> 20, Is.LessThan((LimitBytes + SlackBytes) >> 20), "MB");
            using var connection = server.Connect();
            keys = connection.Call("DBSIZE").Integer;
            Assert.That(connection.Call("WAITAOF", "1", "0", "0").Items[0].Integer, Is.EqualTo(1));
        }

        using var again = Start("--appendonly", "yes");
        using var reader = again.Connect();
        Assert.That(reader.Call("DBSIZE").Integer, Is.EqualTo(keys));
    }
}
