using NUnit.Framework;
using StackExchange.Redis;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>StackExchange.Redis with its default settings, as an application uses it.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ClientLibraryTests(ServerKind kind) : ServerFixture(kind)
{
    private ConnectionMultiplexer _client = null!;

    private IDatabase Database => _client.GetDatabase();

    [OneTimeSetUp]
    public void Connect() => _client = ConnectionMultiplexer.Connect(
        $"127.0.0.1:{Server.Port},allowAdmin=true,syncTimeout=60000");

    [OneTimeTearDown]
    public void Disconnect() => _client.Dispose();

    [SetUp]
    public void Flush() => _client.GetServer("127.0.0.1", Server.Port).FlushAllDatabases();

    [Test]
    public void Strings()
    {
        Assert.That(Database.StringSet("k", "v"));
        Assert.That(Database.StringSet("k", "w", when: When.NotExists), Is.False);
        Assert.That((string?)Database.StringGetSet("k", "x"), Is.EqualTo("v"));
        Assert.That(Database.StringAppend("k", "yz"), Is.EqualTo(3));
        Assert.That((string?)Database.StringGetRange("k", 1, -1), Is.EqualTo("yz"));
        Assert.That(Database.StringIncrement("n", 5), Is.EqualTo(5));
        Assert.That(Database.StringDecrement("n"), Is.EqualTo(4));
        Assert.That(Database.StringIncrement("f", 1.5), Is.EqualTo(1.5));
        Assert.That(Database.StringSetBit("bits", 7, true), Is.False);
        Assert.That(Database.StringBitCount("bits"), Is.EqualTo(1));
        Assert.That(Database.StringGet("missing").IsNull);
    }

    [Test]
    public void Several_keys_at_once()
    {
        var pairs = Enumerable.Range(0, 500)
            .Select(i => new KeyValuePair<RedisKey, RedisValue>($"many:{i}", i)).ToArray();
        var keys = pairs.Select(pair => pair.Key).ToArray();

        Assert.That(Database.StringSet(pairs));
        Assert.That(Database.StringGet(keys).Select(value => (int)value), Is.EqualTo(Enumerable.Range(0, 500)));
        Assert.That(Database.KeyDelete(keys), Is.EqualTo(500));
    }

    [Test]
    public async Task Pipelines()
    {
        const int requests = 10_000;
        var sets = Enumerable.Range(0, requests).Select(i => Database.StringSetAsync($"p:{i}", i)).ToArray();
        Assert.That(await Task.WhenAll(sets), Is.All.True);

        var gets = Enumerable.Range(0, requests).Select(i => Database.StringGetAsync($"p:{i}")).ToArray();
        Assert.That((await Task.WhenAll(gets)).Select(value => (int)value), Is.EqualTo(Enumerable.Range(0, requests)));
    }

    [Test]
    public async Task Callers_on_many_threads_share_one_connection()
    {
        var callers = Enumerable.Range(0, 8).Select(_ => Task.Run(async () =>
        {
            for (var i = 0; i < 500; i++)
            {
                await Database.StringIncrementAsync("shared");
            }
        }));

        await Task.WhenAll(callers);

        Assert.That((int)Database.StringGet("shared"), Is.EqualTo(4_000));
    }

    [Test]
    public void Expiry()
    {
        Database.StringSet("short", "v", TimeSpan.FromMilliseconds(100));
        Database.StringSet("long", "v", TimeSpan.FromHours(1));

        Assert.That(Database.KeyTimeToLive("long"), Is.GreaterThan(TimeSpan.FromMinutes(59)));
        Assert.That(() => Database.KeyExists("short"), Is.False.After(3_000, pollingInterval: 20));
        Assert.That(Database.KeyPersist("long"));
        Assert.That(Database.KeyTimeToLive("long"), Is.Null);
        Assert.That(Database.KeyExpire("long", DateTime.UtcNow.AddSeconds(-5)));
        Assert.That(Database.KeyExists("long"), Is.False);
    }

    [Test]
    public void Keys_are_scanned()
    {
        for (var i = 0; i < 1_000; i++)
        {
            Database.StringSet($"scan:{i}", i, flags: CommandFlags.FireAndForget);
        }

        Database.StringSet("other", 1);
        var server = _client.GetServer("127.0.0.1", Server.Port);

        var found = server.Keys(database: 0, pattern: "scan:*", pageSize: 50).Select(key => (string?)key).Distinct();

        Assert.That(found.Count(), Is.EqualTo(1_000));
        Assert.That(server.DatabaseSize(0), Is.EqualTo(1_001));
    }

    [Test]
    public void Databases_are_apart()
    {
        var other = _client.GetDatabase(3);
        Database.StringSet("k", "in 0");
        other.StringSet("k", "in 3");

        Assert.That((string?)Database.StringGet("k"), Is.EqualTo("in 0"));
        Assert.That((string?)other.StringGet("k"), Is.EqualTo("in 3"));
        Assert.That(Database.KeyMove("k", 3), Is.False);
        Assert.That(other.KeyDelete("k"));
        Assert.That(Database.KeyMove("k", 3));
        Assert.That((string?)other.StringGet("k"), Is.EqualTo("in 0"));
    }

    [Test]
    public void An_error_reaches_the_caller_with_its_text()
    {
        Database.StringSet("text", "abc");
        Assert.That(
            () => Database.StringIncrement("text"),
            Throws.TypeOf<RedisServerException>().With.Message.Contains("value is not an integer or out of range"));
    }
}
