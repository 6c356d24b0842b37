using NUnit.Framework;
using Strata.Storage;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>Memory that was given up and is not free yet counts against the limit, but for a part of it.</summary>
[TestFixture]
internal sealed class RetiredMemoryTests
{
    private const long Limit = 64 << 20;
    private const int ValueBytes = 10_000;

    // What one command, and the steps of pages and slabs, may take beyond it.
    private const long Slack = 2 << 20;

    [Test]
    public void A_long_command_does_not_keep_what_others_give_up()
    {
        using var server = Start("--workers", "2");
        using var writer = server.Connect();
        using var sleeper = server.Connect();
        Fill(writer, 0, count: 2 * (int)(Limit / ValueBytes));
        sleeper.Send("DEBUG", "SLEEP", "1.5");
        Fill(writer, 0, count: 4 * (int)(Limit / ValueBytes));

        AssertPeak(server);
        Assert.That(sleeper.ReadReply().Text, Is.EqualTo("OK"));
    }

    [TestCase("DEL", "large")]
    [TestCase("FLUSHALL")]
    public void What_is_deleted_is_freed_before_as_much_is_taken(params string[] command)
    {
        using var server = Start("--workers", "1");
        using var client = server.Connect();
        var fields = Enumerable.Range(0, 1000).SelectMany(i => new[] { $"{i}", new string('v', 30) }).ToArray();
        for (var i = 0; i < 700; i++)
        {
            for (var field = 0; field < fields.Length; field += 2)
            {
                fields[field] = $"{i}:{field}";
            }

            _ = client.Call(["HSET", "large", .. fields]);
        }

        var used = server.Server.Context.Shards.Budget.UsedBytes;
        Assert.That(used, Is.GreaterThan(Limit / 2));
        _ = client.Call(command);
        Fill(client, 0, count: 2 * (int)(Limit / ValueBytes));

        AssertPeak(server);
    }

    private static ServerInProcess Start(params string[] flags)
        => new(
            device: null,
            [
                "--maxmemory", $"{Limit}", "--maxmemory-policy", "allkeys-lru", "--enable-debug-command", "yes",
                .. flags,
            ]);

    private static void AssertPeak(ServerInProcess server)
        => Assert.That(
            server.Server.Context.Shards.Budget.PeakBytes,
            Is.LessThan(Limit + (Limit / Limits.RetiredShare) + Slack));

    private static void Fill(RespConnection client, int first, int count)
    {
        var value = new string('x', ValueBytes);
        for (var i = first; i < first + count; i++)
        {
            Assert.That(client.Call("SET", $"key:{i}", value).Text, Is.EqualTo("OK"));
        }
    }
}
