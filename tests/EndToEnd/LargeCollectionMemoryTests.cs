using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>The memory of a server, as the system sees it, with a collection that takes most of its memory limit, and
/// goes to the disk and comes back.</summary>
[TestFixture]
public sealed class LargeCollectionMemoryTests
{
    private const int Fields = 100_000;
    private const int AtOnce = 100;
    private const long LimitBytes = 128 << 20;
    private const long SlackBytes = (LimitBytes / 8) + (32 << 20);

    private static readonly string s_value = new('v', 1000);

    private ServerProcess _server = null!;

    [SetUp]
    public void Start()
        => _server = StrataProcess.Start("--storage-tier", "yes", "--maxmemory", "128mb", "--workers", "2");

    [TearDown]
    public void Stop() => _server?.Dispose();

    [Test]
    public void Holds_its_limit()
    {
        var idleBytes = _server.ResidentBytes();
        var peak = ResidentPeak.Of(_server, () =>
        {
            using var client = _server.Connect();
            FillHash(client);
            for (var key = 0; ServerInfo.Number(client, "tier", "tier_frozen_collections") == 0; key += AtOnce)
            {
                Assert.That(key, Is.LessThan(2_000_000), "what nobody reads leaves memory");
                Set(client, key);
            }

            Assert.That(client.Call("BGSAVE").IsError, Is.False);
            ServerInfo.WaitFor(client, "persistence", "rdb_bgsave_in_progress", 0);
            Assert.That(ServerInfo.Read(client, "persistence"), Does.Contain("rdb_last_bgsave_status:ok"));
            Assert.That(client.Call("HGET", "hash", $"field:{Fields / 2}").Text, Is.EqualTo(s_value));
            Assert.That(client.Call("HLEN", "hash").Integer, Is.EqualTo(Fields));
            Assert.That(ServerInfo.Number(client, "tier", "tier_thawed_collections"), Is.EqualTo(1));
        });
        Assert.That(peak - idleBytes, Is.LessThan(LimitBytes + SlackBytes));
    }

    private static void FillHash(RespConnection client)
    {
        for (var field = 0; field < Fields; field += AtOnce)
        {
            List<string> words = ["HSET", "hash"];
            for (var i = 0; i < AtOnce; i++)
            {
                words.AddRange([$"field:{field + i}", s_value]);
            }

            Assert.That(client.Call([.. words]).Integer, Is.EqualTo(AtOnce));
        }
    }

    private static void Set(RespConnection client, int key)
    {
        client.Send(Enumerable.Range(key, AtOnce).Select(i => RespCommand.Of("SET", $"key:{i}", s_value)));
        for (var i = 0; i < AtOnce; i++)
        {
            Assert.That(client.ReadReply().Text, Is.EqualTo("OK"));
        }
    }
}
