using NUnit.Framework;
using StackExchange.Redis;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>StackExchange.Redis as an application uses it, over either protocol.</summary>
[TestFixture(ServerKind.Strata, RedisProtocol.Resp2)]
[TestFixture(ServerKind.Strata, RedisProtocol.Resp3)]
[TestFixture(ServerKind.Redis, RedisProtocol.Resp2)]
[TestFixture(ServerKind.Redis, RedisProtocol.Resp3)]
public sealed class ClientLibraryTests(ServerKind kind, RedisProtocol protocol) : ServerFixture(kind)
{
    private ConnectionMultiplexer _client = null!;

    private IDatabase Database => _client.GetDatabase();

    [OneTimeSetUp]
    public void Connect() => _client = ConnectionMultiplexer.Connect(new ConfigurationOptions
    {
        EndPoints = { { "127.0.0.1", Server.Port } },
        Protocol = protocol,
        AllowAdmin = true,
        ConnectTimeout = Patience.Ms,
        SyncTimeout = Patience.Ms,
        AsyncTimeout = Patience.Ms,
    });

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

    /// <summary>As object mappers keep it: a hash for each object, and a sorted set of where the objects are.</summary>
    [Test]
    public void Objects_are_found_by_place()
    {
        (string Name, double Longitude, double Latitude)[] cities =
        [
            ("Palermo", 13.361389, 38.115556), ("Catania", 15.087269, 37.502669), ("Roma", 12.496366, 41.902782),
            ("Milano", 9.188540, 45.464664),
        ];
        foreach (var (name, longitude, latitude) in cities)
        {
            Database.HashSet($"city:{name}", [new HashEntry("name", name), new HashEntry("visits", 1)]);
            Assert.That(Database.GeoAdd("cities", longitude, latitude, $"city:{name}"));
        }

        var near = Database.GeoSearch(
            "cities", 15, 37, new GeoSearchCircle(500, GeoUnit.Kilometers), order: Order.Ascending,
            options: GeoRadiusOptions.WithDistance | GeoRadiusOptions.WithCoordinates);
        Assert.That(near.Select(found => (string?)found.Member), Is.EqualTo(new[] { "city:Catania", "city:Palermo" }));
        Assert.That(near[0].Distance, Is.EqualTo(56.4413).Within(1e-4));
        Assert.That(near[1].Position!.Value.Latitude, Is.EqualTo(38.115556).Within(1e-5));
        Assert.That((int)Database.HashIncrement((string)near[0].Member!, "visits"), Is.EqualTo(2));

        var box = new GeoSearchBox(1_000, 900, GeoUnit.Kilometers);
        Assert.That(Database.GeoSearch("cities", "city:Roma", box, count: 2).Length, Is.EqualTo(2));
        Assert.That(Database.GeoSearchAndStore("cities", "found", "city:Roma", box), Is.EqualTo(4));
        Assert.That(Database.SortedSetLength("found"), Is.EqualTo(4));
        var away = Database.GeoDistance("cities", "city:Roma", "city:Milano", GeoUnit.Kilometers);
        Assert.That(away, Is.InRange(470, 480));
        Assert.That(Database.GeoHash("cities", "city:Palermo"), Is.EqualTo("sqc8b49rny0"));
        Assert.That(Database.GeoPosition("cities", "city:nowhere"), Is.Null);
        Assert.That(Database.GeoRemove("cities", "city:Milano"));
        Assert.That(Database.GeoSearch("cities", 9, 45, new GeoSearchCircle(100, GeoUnit.Miles)), Is.Empty);
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
        Assert.That(() => Database.KeyExists("short"), Is.False.After(Patience.Ms, pollingInterval: 20));
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

    [Test]
    public void The_protocol_asked_for_is_spoken() => Assert.That(
        _client.GetServer("127.0.0.1", Server.Port).Protocol, Is.EqualTo(protocol));

    [Test]
    public void Collections()
    {
        Database.HashSet("hash", [new("a", 1), new("b", "two")]);
        Assert.That(Database.HashIncrement("hash", "a", 4), Is.EqualTo(5));
        Assert.That(Database.HashGetAll("hash").ToDictionary(e => (string)e.Name!, e => (string)e.Value!),
            Is.EquivalentTo(new Dictionary<string, string> { ["a"] = "5", ["b"] = "two" }));
        Assert.That(Database.HashScan("hash", "b*").Single().Value == "two");

        Assert.That(Database.ListRightPush("list", ["a", "b", "c"]), Is.EqualTo(3));
        Assert.That((string?)Database.ListLeftPop("list"), Is.EqualTo("a"));
        Assert.That(Database.ListRange("list").ToStringArray(), Is.EqualTo(new[] { "b", "c" }));

        Assert.That(Database.SetAdd("set", ["x", "y", "x"]), Is.EqualTo(2));
        Assert.That(Database.SetContains("set", "y"));
        Assert.That(Database.SetMembers("set").ToStringArray(), Is.EquivalentTo(new[] { "x", "y" }));

        Assert.That(Database.SortedSetAdd("scores", [new("low", 1.5), new("high", double.PositiveInfinity)]),
            Is.EqualTo(2));
        Assert.That(Database.SortedSetScore("scores", "low"), Is.EqualTo(1.5));
        Assert.That(Database.SortedSetRangeByRankWithScores("scores"),
            Is.EqualTo(new SortedSetEntry[] { new("low", 1.5), new("high", double.PositiveInfinity) }));
        Assert.That(Database.SortedSetPop("scores", Order.Descending)!.Value.Element == "high");
    }

    [Test]
    public void A_transaction_is_executed_only_if_its_condition_holds()
    {
        Database.StringSet("guard", 1);
        Assert.That(Add(expected: 1), Is.True);
        Assert.That(Add(expected: 2), Is.False);
        Assert.That((int)Database.StringGet("sum"), Is.EqualTo(10));

        bool Add(int expected)
        {
            var transaction = Database.CreateTransaction();
            transaction.AddCondition(Condition.StringEqual("guard", expected));
            _ = transaction.StringIncrementAsync("sum", 10);
            return transaction.Execute();
        }
    }

    [Test]
    public void A_lock_is_given_back_by_its_owner_alone()
    {
        var hour = TimeSpan.FromHours(1);
        Assert.That(Database.LockTake("lock", "one", hour));
        Assert.That(Database.LockTake("lock", "two", hour), Is.False);
        Assert.That(Database.LockRelease("lock", "two"), Is.False);
        Assert.That(Database.LockExtend("lock", "one", hour));
        Assert.That(Database.LockRelease("lock", "one"));
        Assert.That(Database.LockTake("lock", "two", hour));
    }

    [Test]
    public async Task Messages_come_by_channel_and_by_pattern_in_order()
    {
        const int messages = 100;
        var subscriber = _client.GetSubscriber();
        var channel = await subscriber.SubscribeAsync(RedisChannel.Literal("news:1"));
        var pattern = await subscriber.SubscribeAsync(RedisChannel.Pattern("news:*"));
        for (var i = 0; i < messages; i++)
        {
            Assert.That(await subscriber.PublishAsync(RedisChannel.Literal("news:1"), i), Is.EqualTo(2));
        }

        for (var i = 0; i < messages; i++)
        {
            Assert.That((int)(await Next(channel)).Message, Is.EqualTo(i));
            Assert.That((int)(await Next(pattern)).Message, Is.EqualTo(i));
        }

        await subscriber.UnsubscribeAllAsync();
        Assert.That(
            () => subscriber.Publish(RedisChannel.Literal("news:1"), "for nobody"), Is.Zero.After(Patience.Ms, 10));

        static Task<ChannelMessage> Next(ChannelMessageQueue queue)
            => queue.ReadAsync().AsTask().WaitAsync(TimeSpan.FromMilliseconds(Patience.Ms));
    }
}
