using NUnit.Framework;
using RedLockNet.SERedis;
using RedLockNet.SERedis.Configuration;
using StackExchange.Redis;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>
/// Locks of RedLock.net, on one server and on a quorum of three: here three databases of one server. Each instance of
/// an application has connections of its own.
/// </summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class RedLockNetTests(ServerKind kind) : ApplicationFixture(kind)
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(Patience.Ms);
    private static readonly TimeSpan s_retry = TimeSpan.FromMilliseconds(10);

    private readonly List<RedLockFactory> _instances = [];
    private readonly List<ConnectionMultiplexer> _connections = [];

    /// <summary>On a machine that is busy with other tests, a late answer is no failure.</summary>
    private string Configuration =>
        $"127.0.0.1:{Server.Port},connectTimeout={Patience.Ms},asyncTimeout={Patience.Ms},syncTimeout={Patience.Ms}";

    [TearDown]
    public void CloseInstances()
    {
        _instances.ForEach(instance => instance.Dispose());
        _instances.Clear();
        _connections.ForEach(connection => connection.Dispose());
        _connections.Clear();
    }

    [TestCase(1)]
    [TestCase(3)]
    public async Task Instances_exclude_each_other(int databases)
    {
        const int Visitors = 4;
        const int Times = 10;

        await Task.WhenAll(Enumerable.Range(0, Visitors).Select(_ => CountAsync(NewInstance(databases), Times)));

        Assert.That(Call("GET", "counter").Text, Is.EqualTo($"{Visitors * Times}"));
    }

    [TestCase(1)]
    [TestCase(3)]
    public async Task A_lock_is_held_until_it_is_released(int databases)
    {
        var (one, two) = (NewInstance(databases), NewInstance(databases));

        await using (var held = await one.CreateLockAsync("stock", s_hour))
        {
            Assert.That(held.IsAcquired, held.InstanceSummary.ToString());
            Assert.That(Call("PTTL", "redlock:stock").Integer, Is.InRange(1, (long)s_hour.TotalMilliseconds));
            await using var refused = await two.CreateLockAsync("stock", s_hour);
            Assert.That(refused.IsAcquired, Is.False);
            await using var other = await two.CreateLockAsync("another", s_hour);
            Assert.That(other.IsAcquired);
        }

        Assert.That(Call("EXISTS", "redlock:stock", "redlock:another").Integer, Is.Zero);
        await using var released = await two.CreateLockAsync("stock", s_hour);
        Assert.That(released.IsAcquired);
    }

    [Test]
    public async Task A_lock_is_extended_while_it_is_held()
    {
        await using var held = await NewInstance(1).CreateLockAsync("stock", TimeSpan.FromSeconds(1));

        // Each time that half of its time has gone by.
        Assert.That(() => held.ExtendCount, Is.GreaterThan(2).After(Patience.Ms, pollingInterval: 20));
        Assert.That(() => Call("GET", "redlock:stock").Text, Is.EqualTo(held.LockId).After(Patience.Ms, 20));
    }

    [Test]
    public async Task A_lock_of_another_is_not_released()
    {
        await using (var held = await NewInstance(1).CreateLockAsync("stock", s_hour))
        {
            Assert.That(held.IsAcquired);
            Call("SET", "redlock:stock", "another's");
        }

        Assert.That(Call("GET", "redlock:stock").Text, Is.EqualTo("another's"));
    }

    [Test]
    public async Task A_lock_that_nobody_extends_expires()
    {
        Call("SET", "redlock:stock", "of an instance that died", "PX", "300");

        await using var acquired = await NewInstance(1).CreateLockAsync("stock", s_hour, s_patience, s_retry);

        Assert.That(acquired.IsAcquired);
        Assert.That(Call("GET", "redlock:stock").Text, Is.EqualTo(acquired.LockId));
    }

    /// <summary>Adds to a counter in steps that only a lock keeps together.</summary>
    private async Task CountAsync(RedLockFactory locks, int times)
    {
        await using var connection = await ConnectionMultiplexer.ConnectAsync(Configuration);
        var database = connection.GetDatabase();
        for (var i = 0; i < times; i++)
        {
            await using var held = await locks.CreateLockAsync("counter", s_hour, s_patience, s_retry);
            Assert.That(held.IsAcquired, held.InstanceSummary.ToString());
            var found = (int)await database.StringGetAsync("counter");
            await Task.Yield();
            await database.StringSetAsync("counter", found + 1);
        }
    }

    private RedLockFactory NewInstance(int databases)
    {
        var connection = ConnectionMultiplexer.Connect(Configuration);
        _connections.Add(connection);
        var servers = Enumerable.Range(0, databases).Select(database =>
            new RedLockMultiplexer(connection) { RedisDatabase = database });
        var instance = RedLockFactory.Create([.. servers]);
        _instances.Add(instance);
        return instance;
    }
}
