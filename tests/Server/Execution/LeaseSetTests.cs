using NUnit.Framework;
using Strata.Server.Execution.Leases;
using Strata.Server.Journal;
using Strata.Server.Runtime;
using Strata.Storage;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Server.Execution;

[TestFixture]
internal sealed class LeaseSetTests()
    : ShardMapFixture(new ShardSettings(Count, Limits.MinPageBits, IsShared: true), workers: 2)
{
    private const int Count = 256;

    private EffectJournal _journal = null!;
    private LeaseSet _leases = null!;

    [SetUp]
    public void Make()
    {
        _journal = new EffectJournal(Shards, new DatabaseMap(count: 1), new Durability(), workers: 2);
        _leases = new LeaseSet(Shards, _journal);
    }

    [TearDown]
    public void Free()
    {
        _leases.Dispose();
        _journal.Dispose();
    }

    [Test]
    public void Many_keys_are_charged_until_the_leases_are_given_back()
    {
        const int Many = 100_000;
        var before = Shards.Budget.UsedBytes;
        var key = Keys.Make(1, 16);
        for (var i = 0; i < Many; i++)
        {
            _leases.Add(key);
        }

        Assert.That(_leases.KeySpan.Length, Is.EqualTo(Many));
        Assert.That(Shards.Budget.UsedBytes - before, Is.GreaterThan(Many * 20));
        _leases.Clear();
        Assert.That(_leases.KeySpan.Length, Is.Zero);
        Assert.That(Shards.Budget.UsedBytes - Shards.Budget.Buffers.IdleBytes, Is.EqualTo(before));
    }

    [Test]
    public void Leases_are_taken_in_ascending_order_however_they_were_added()
    {
        Add(200, 3, 64, 63, 129, 128);
        var before = Versions();
        Assert.That(Shards[128].Lease.TryAcquire());
        Assert.That(_leases.AcquireAll(), Is.SameAs(Shards[128].Lease));
        Shards[128].Lease.Release();
        foreach (var shard in new[] { 3, 63, 64 })
        {
            Assert.That(Shards[shard].Lease.ReadVersion() - before[shard], Is.EqualTo(4), $"shard {shard} was taken");
        }

        foreach (var shard in new[] { 129, 200 })
        {
            Assert.That(Shards[shard].Lease.ReadVersion(), Is.EqualTo(before[shard]), $"shard {shard} was not");
        }
    }

    [Test]
    public void What_is_added_twice_is_taken_once()
    {
        var key = Keys.Make(1, 16);
        var before = Versions();
        _leases.Add(key);
        _leases.Add(key);
        Add(Shards.NumberOf(key.Hash));
        Assert.That(_leases.KeySpan.Length, Is.EqualTo(2), "keys are kept as they were added");
        Assert.That(_leases.AcquireAll(), Is.Null);
        Assert.That(Changed(before), Is.EqualTo(new[] { Shards.NumberOf(key.Hash) }));
        Assert.That(Shards.Of(key.Hash).Lease.ReadVersion() - before[Shards.NumberOf(key.Hash)], Is.EqualTo(1));
        Release(Shards.NumberOf(key.Hash));
    }

    [TestCase(0)]
    [TestCase(100)]
    [TestCase(Count - 1)]
    public void A_lease_that_is_taken_is_named_and_all_others_are_given_back(int taken)
    {
        _leases.AddAll();
        Assert.That(Shards[taken].Lease.TryAcquire());
        Assert.That(_leases.AcquireAll(), Is.SameAs(Shards[taken].Lease));
        foreach (var shard in Shards.All)
        {
            Assert.That(ShardLease.IsFree(shard.Lease.ReadVersion()), Is.EqualTo(shard.Number != taken));
        }

        Release(taken);
        Assert.That(_leases.AcquireAll(), Is.Null, "another attempt takes all");
        Release([.. Enumerable.Range(0, Count)]);
    }

    [Test]
    public void An_empty_set_takes_nothing_and_a_cleared_one_is_empty()
    {
        _leases.AddAll();
        _leases.Add(Keys.Make(1, 16));
        _leases.Clear();
        var before = Versions();
        Assert.That(_leases.KeySpan.IsEmpty);
        Assert.That(_leases.AcquireAll(), Is.Null);
        Assert.That(Changed(before), Is.Empty);
    }

    [Test]
    public void Many_keys_cost_a_lease_for_each_shard_not_for_each_key()
    {
        for (var i = 0; i < 20_000; i++)
        {
            _leases.Add(Keys.Make(i, 16));
        }

        var before = Versions();
        Assert.That(_leases.AcquireAll(), Is.Null);
        Assert.That(Versions().Zip(before, (now, then) => now - then), Is.All.EqualTo(1));
        Release([.. Enumerable.Range(0, Count)]);
    }

    [Test]
    public void Versions_tell_of_a_change_in_any_shard_of_the_set_and_of_no_other()
    {
        Add(5, 77, 250);
        Assert.That(_leases.TryReadVersions());
        Change(6);
        Assert.That(_leases.AreUnchanged());
        Change(250);
        Assert.That(_leases.AreUnchanged(), Is.False);
        Assert.That(_leases.TryReadVersions());
        Assert.That(_leases.AreUnchanged());
        Assert.That(Shards[77].Lease.TryAcquire());
        Assert.That(_leases.AreUnchanged(), Is.False);
        Assert.That(_leases.TryReadVersions(), Is.False, "it is being changed");
        Release(77);
    }

    [Test]
    public void Who_gives_leases_back_settles_the_shards_and_does_what_was_queued()
    {
        using var server = new TurnServer(workers: 2);
        var worker = server.Server.Workers[0];
        var shards = server.Server.Context.Shards;
        using var leases = new LeaseSet(shards, server.Server.Services.Journal);
        leases.Add(1);
        leases.Add(3);
        Assert.That(leases.AcquireAll(), Is.Null);
        var work = new Work(worker.Worker);
        shards[3].Lease.Queue(work);
        Assert.That(work.IsExecuted, Is.False, "the lease is held");
        var key = Keys.Make(1, 16);
        _ = shards[3].Write(key, default, new RecordSpec(key, RecordType.String, -1), 10);
        var laterMs = worker.Worker.NowMs + 1_000_000_000;
        leases.ReleaseAll(worker.Executor, laterMs);
        Assert.That(
            shards[3].Log.Accesses.Again(0), Is.EqualTo(AccessClock.At(laterMs)), "what was appended was settled");
        Assert.That(work.IsExecuted, Is.True);
        Assert.That(work.Returns, Is.Zero);
        server.Turn(0);
        Assert.That(work.Returns, Is.EqualTo(1), "it goes back to whose it is");
    }

    [Test]
    public void Who_gives_a_lease_back_does_so_though_others_go_on_queueing()
    {
        using var server = new TurnServer(workers: 2);
        var lease = server.Server.Context.Shards[1].Lease;
        var order = new List<int>();
        Assert.That(lease.TryAcquire());
        var works = Enumerable.Range(0, 1000)
            .Select(i => new Work(server.Server.Workers[i % 2].Worker) { OnExecute = () => order.Add(i) })
            .ToList();
        works[0].OnExecute = () => works.Skip(1).Take(500).ToList().ForEach(lease.Queue);
        works[3].OnExecute = () => works.Skip(501).ToList().ForEach(lease.Queue);
        lease.Queue(works[0]);

        lease.Release();

        Assert.That(works.Count(work => work.IsExecuted), Is.EqualTo(Limits.WorkPerRelease));
        Assert.That(ShardLease.IsFree(lease.ReadVersion()), "others may have it meanwhile");
        server.Settle();
        server.Settle();
        Assert.That(works.All(work => work.IsExecuted && work.Returns == 1));
        Assert.That(order, Is.Ordered);
    }

    /// <summary>Who was left the rest of the queue has found the lease reserved; then nobody wants it any more.
    /// </summary>
    [Test]
    public void What_a_holder_has_not_come_to_is_done_when_a_reservation_is_given_up()
    {
        using var server = new TurnServer(workers: 2);
        var shards = server.Server.Context.Shards;
        var lease = shards[1].Lease;
        var claim = new Claim(shards.Reservation, server.Server.Workers[0].Worker);
        using var leases = new LeaseSet(shards, server.Server.Services.Journal);
        leases.Add(0);
        leases.Add(1);
        Assert.That(claim.TryTake());
        Assert.That(shards[0].Lease.TryAcquire() && lease.TryAcquire());
        var works = Enumerable.Range(0, 2 * Limits.WorkPerRelease)
            .Select(_ => new Work(server.Server.Workers[1].Worker))
            .ToList();
        works.ForEach(lease.Queue);
        Assert.That(leases.AcquireAll(claim), Is.SameAs(shards[0].Lease), "both are reserved");
        lease.Release();
        server.Turn(1);
        Assert.That(works.Count(work => work.IsExecuted), Is.EqualTo(Limits.WorkPerRelease));

        claim.Abandon();

        Assert.That(works.All(work => work.IsExecuted));
        shards[0].Lease.Release();
    }

    /// <summary>Groups of many clients that find a lease taken, served by one after the other.</summary>
    [Test]
    public void Many_clients_whose_commands_wait_for_one_lease_are_all_answered([Values(2, 7)] int workers)
    {
        using var server = new TurnServer(workers);
        var shard = server.Server.Context.Shards[2];
        var key = server.KeyOf(2);
        var clients = Enumerable.Range(0, 100).Select(_ => server.Connect()).ToList();
        Assert.That(shard.Lease.TryAcquire());
        clients.ForEach(client => client.Send($"INCR {key}", $"INCR {server.KeyOf(1)}", $"INCR {key}"));
        server.Settle();
        shard.Lease.Release();
        server.Settle();

        var replies = clients.Select(client => client.Replies()).ToList();
        Assert.That(replies, Has.All.Count.EqualTo(3));
        Assert.That(replies.SelectMany(three => new[] { three[0], three[2] }), Is.Unique);
        clients[0].Expect([$"GET {key}"], "$200");
    }

    private void Add(params int[] shards)
    {
        foreach (var shard in shards)
        {
            _leases.Add(shard);
        }
    }

    private void Release(params int[] shards)
    {
        foreach (var shard in shards)
        {
            Shards[shard].Lease.Release();
        }
    }

    private void Change(int shard)
    {
        Assert.That(Shards[shard].Lease.TryAcquire());
        Release(shard);
    }

    private long[] Versions() => [.. Shards.All.ToArray().Select(shard => shard.Lease.ReadVersion())];

    private IEnumerable<int> Changed(long[] before)
        => Versions().Select((version, i) => version == before[i] ? -1 : i).Where(i => i >= 0);

    private sealed class Claim(LeaseReservation reservation, Worker owner) : LeaseClaim(reservation, owner)
    {
        public override void Run(Worker worker)
        {
        }
    }

    private sealed class Work(Worker owner) : ShardWork
    {
        public bool IsExecuted { get; private set; }

        public int Returns { get; private set; }

        public override Worker Owner { get; } = owner;

        public Action? OnExecute { get; set; }

        public override void Execute()
        {
            IsExecuted = true;
            OnExecute?.Invoke();
        }

        public override void Run(Worker worker) => Returns++;
    }
}
