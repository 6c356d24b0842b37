using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Tiering;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Sets of cold records that share the room for them.</summary>
public sealed class ColdReadRoomTests
{
    private const int ValueBytes = 100_000;
    private const int Keys = 8;

    private readonly List<Waiter> _waiters = [];
    private SimulatedDevice _device = null!;
    private TieredShard _test = null!;
    private long _heldBytes;

    private ColdReadRoom Room => _test.Tier.ColdRoom;

    [SetUp]
    public void Fill()
    {
        _device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        _test = new TieredShard(_device, limitBytes: 16 << 20);
        _test.Tier.IsEager = true;
        for (var i = 0; i < Keys; i++)
        {
            _ = _test.Execute(_test.Keys.Make(i, length: 12), (shard, key, record) =>
                shard.Write(key, record, new RecordSpec(key, RecordType.String, -1), ValueBytes).MutableValue.Fill(1));
        }

        _test.Quiesce();
        _test.Tier.IsEager = false;
        _test.Tier.MostColdBytes = 250_000;
        _test.Tier.ColdPartBytes = 250_000;
    }

    [TearDown]
    public void Stop()
    {
        foreach (var waiter in _waiters)
        {
            waiter.Set.Return();
            Complete(); // What waited for its room.
        }

        _waiters.Clear();
        Assert.That(Room.TakenBytes, Is.Zero);
        Assert.That(Room.Waiting, Is.Zero);
        _test.Dispose();
        _device.Dispose();
    }

    /// <summary>Between the moment at which there is room for a read and that at which it takes the memory nobody else
    /// is to take it.</summary>
    [Test]
    public void What_a_read_will_take_is_charged_from_when_there_was_room_for_it()
    {
        var used = _test.Budget.UsedBytes;
        var first = Begin(0);
        Assert.That(_test.Budget.UsedBytes, Is.GreaterThan(used + ValueBytes));
        Complete();
        Assert.That(first.HasEnded);
        Assert.That(_test.Budget.UsedBytes, Is.LessThan(used + (ValueBytes * 3 / 2)), "it is not charged twice");
        first.Set.Reset();
        Assert.That(_test.Budget.UsedBytes - _test.Budget.Buffers.IdleBytes, Is.LessThan(used + (ValueBytes / 2)));
        Assert.That(first.HasEnded);
    }

    [Test]
    public void What_cannot_be_read_is_charged_no_more()
    {
        var used = _test.Budget.UsedBytes;
        _device.Faults.ReadErrno = Errno.InputOutput;
        var first = Begin(0);
        Complete();
        _device.Faults.Heal();
        Assert.That(first.HasEnded);
        first.Set.Reset();
        Assert.That(_test.Budget.UsedBytes - _test.Budget.Buffers.IdleBytes, Is.LessThan(used + (ValueBytes / 2)));
    }

    [Test]
    public void What_does_not_fit_waits_in_order_until_others_give_room_back()
    {
        var (first, second, third, fourth) = (Begin(0), Begin(1), Begin(2), Begin(3));
        Assert.That(Room.Waiting, Is.EqualTo(2));
        Complete();
        Assert.That((first.HasEnded, second.HasEnded, third.HasEnded), Is.EqualTo((true, true, false)));
        second.Set.Reset();
        Complete();
        Assert.That((third.HasEnded, fourth.HasEnded), Is.EqualTo((true, false)));
        first.Set.Reset();
        Complete();
        Assert.That(fourth.HasEnded);
        Assert.That(fourth.Finds(3));
    }

    [Test]
    public void What_comes_later_does_not_pass_what_waits()
    {
        var (small, large, later) = (Begin(0), Begin(1, 2), Begin(3));
        Complete();
        Assert.That((small.HasEnded, large.HasEnded, later.HasEnded), Is.EqualTo((true, false, false)));
        small.Set.Reset();
        Complete();
        Assert.That((large.HasEnded, later.HasEnded), Is.EqualTo((true, false)));
    }

    [Test]
    public void Alone_a_set_may_hold_whatever_it_needs()
    {
        var all = Begin(0, 1, 2, 3, 4, 5, 6, 7);
        Complete();
        Assert.That(all.HasEnded);
        Assert.That(Enumerable.Range(0, Keys).All(all.Finds));
        Assert.That(Room.TakenBytes, Is.GreaterThan(Keys * ValueBytes));
    }

    /// <summary>Two that hold one and need another: they would wait for each other.</summary>
    [Test]
    public void Who_needs_more_gives_up_what_it_holds_while_it_waits()
    {
        var (first, second) = (Begin(0), Begin(1));
        Complete();
        Assert.That(first.HasEnded && second.HasEnded);
        first.Begin(2);
        second.Begin(3);
        Assert.That(Room.Waiting, Is.Not.Zero);
        Complete();
        Assert.That(first.HasEnded && first.Finds(0) && first.Finds(2));
        first.Set.Reset();
        Complete();
        Assert.That(second.HasEnded && second.Finds(1) && second.Finds(3));
    }

    /// <summary>What was in memory when most was read may have left it by the time it has come.</summary>
    [Test]
    public void Who_needs_a_little_more_waits_behind_nobody_and_keeps_what_it_holds()
    {
        var first = Begin(0, 1, 2, 3, 4);
        var second = Begin(5);
        Complete();
        Assert.That((first.HasEnded, second.HasEnded), Is.EqualTo((true, false)));
        var reads = _test.Worker.Reads;
        first.Begin(6);
        Complete();
        Assert.That(first.HasEnded && first.Finds(0) && first.Finds(6));
        Assert.That(_test.Worker.Reads - reads, Is.LessThan(5), "what it holds is not read again");
        Assert.That(second.HasEnded, Is.False);
        first.Set.Reset();
        Complete();
        Assert.That(second.HasEnded && second.Finds(5));
    }

    [Test]
    public void Nothing_is_read_for_who_has_given_up_the_wait()
    {
        var (first, gone, last) = (Begin(0, 1), Begin(2, 3), Begin(4));
        Complete();
        var reads = _test.Worker.Reads;
        gone.Set.GiveUpWait();
        first.Set.Reset();
        Complete();
        Assert.That(gone.HasEnded && !gone.Finds(2));
        Assert.That(last.HasEnded && last.Finds(4));
        Assert.That(_test.Worker.Reads - reads, Is.LessThan(3));
    }

    [Test]
    public void Of_what_is_read_in_parts_only_what_may_be_held_is_read_and_what_was_used_is_forgotten()
    {
        var run = new Waiter(_test, isInParts: true);
        _waiters.Add(run);
        run.Begin(0, 1, 2, 3);
        Complete();
        Assert.That(run.Set.Count, Is.EqualTo(2), "the others are to be asked for again");
        Assert.That(run.Finds(0) && run.Finds(1));
        run.Set.EndUse(isDone: true);
        Assert.That(run.Finds(2), Is.False);
        run.Set.EndUse(isDone: false);
        run.Set.ForgetUsed(_test.NowMs);
        Assert.That(run.Set.Count, Is.EqualTo(1));
        Assert.That(Room.TakenBytes, Is.Zero);
        run.Begin(3);
        Complete();
        Assert.That(run.Finds(2) && run.Finds(3));
    }

    /// <summary>A command whose record was read may wait for something else, memory for its reply: with each one
    /// behind it more would be held at a time.</summary>
    [Test]
    public void What_is_read_in_parts_gives_up_what_was_not_used_when_there_is_no_room_for_the_next()
    {
        var other = Begin(7);
        var run = new Waiter(_test, isInParts: true);
        _waiters.Add(run);
        run.Begin(0);
        Complete();
        Assert.That(other.HasEnded && run.HasEnded);
        run.Begin(1);
        Complete();
        Assert.That(run.HasEnded && run.Finds(1));
        Assert.That(run.Set.Count, Is.EqualTo(1), "the first is to be asked for again");
        Assert.That(Room.TakenBytes, Is.LessThan(3 * ValueBytes));
        Assert.That(run.Finds(0), Is.False);
        run.Set.ForgetUnread();
        Assert.That(run.Set.HasUnread, Is.False);
    }

    [Test]
    public void Reads_that_fail_hold_next_to_nothing()
    {
        _device.Faults.ReadErrno = Errno.InputOutput;
        var (first, second, third) = (Begin(0), Begin(1), Begin(2));
        Complete();
        Assert.That(first.HasEnded && second.HasEnded && third.HasEnded);
        Assert.That(first.Finds(0), Is.False);
        Assert.That(first.Set.Failure, Is.EqualTo(ColdReadFailure.Device));
        Assert.That(Room.TakenBytes, Is.LessThan(ValueBytes));
    }

    /// <summary>What others hold may be left, as by clients that read their replies.</summary>
    [Test]
    public void At_the_end_of_memory_a_set_waits_until_there_is_room()
    {
        HoldAllButTheEnd();
        var waiter = Begin(0);
        Pass(Limits.ColdRoomPatienceMs - 1);
        Assert.That((waiter.HasEnded, Room.Waiting), Is.EqualTo((false, 1)));
        Free();
        Pass(1);
        Assert.That(waiter.HasEnded && waiter.Finds(0));
    }

    [Test]
    public void What_waits_in_vain_at_the_end_of_memory_is_refused()
    {
        HoldAllButTheEnd();
        var (first, second) = (Begin(0), Begin(1));
        Pass(Limits.ColdRoomPatienceMs);
        Assert.That((first.HasEnded, second.HasEnded), Is.EqualTo((true, true)));
        Assert.That((first.Finds(0), first.Set.Failure), Is.EqualTo((false, ColdReadFailure.NoRoom)));
        Assert.That(first.Set.HasRefused);
        Assert.That((Room.TakenBytes, Room.Waiting), Is.EqualTo((0L, 0)));
        Free();
        Assert.That(Begin(2).HasEnded, Is.False);
        Complete();
        Assert.That(_waiters[^1].Finds(2));
    }

    [Test]
    public void Who_waits_behind_one_that_goes_on_is_patient_anew()
    {
        HoldAllButTheEnd();
        _test.Tier.MostColdBytes = 3 * ValueBytes / 2;
        var (first, second) = (Begin(0), Begin(1));
        Pass(Limits.ColdRoomPatienceMs - 1);
        Free();
        Pass(1);
        Assert.That((first.HasEnded, second.HasEnded), Is.EqualTo((true, false)));
        HoldAllButTheEnd();
        first.Set.Reset();
        Pass(Limits.ColdRoomPatienceMs - 1);
        Assert.That(second.HasEnded, Is.False);
        Pass(1);
        Assert.That(second.HasEnded);
        Free();
    }

    [Test]
    public void A_little_is_read_whether_memory_is_at_its_end_or_not()
    {
        HoldAllButTheEnd();
        var waiter = new Waiter(_test, isInParts: false);
        _waiters.Add(waiter);
        waiter.Set.TakesValues = false;
        waiter.Begin(0);
        Complete();
        Assert.That(waiter.HasEnded && waiter.Finds(0));
        Free();
    }

    /// <summary>What needs little does not wait for what needs much, whatever that waits for.</summary>
    [Test]
    public void A_little_is_read_while_much_is_waited_for()
    {
        HoldAllButTheEnd();
        var large = Begin(0);
        var small = new Waiter(_test, isInParts: false);
        _waiters.Add(small);
        small.Set.TakesValues = false;
        small.Begin(1);
        Complete();
        Assert.That((large.HasEnded, small.HasEnded), Is.EqualTo((false, true)));
        Free();
        Pass(1);
        Assert.That(large.HasEnded && large.Finds(0));
        small.Set.Reset();
        Assert.That(_test.Tier.LittleColdRoom.TakenBytes, Is.Zero);
    }

    /// <summary>As long as memory is given back, there may be enough at last; but not for ever.</summary>
    [Test]
    public void While_memory_becomes_free_the_wait_is_longer()
    {
        HoldAllButTheEnd();
        var waiter = Begin(0);
        var waitedMs = 0;
        for (; !waiter.HasEnded; waitedMs++)
        {
            _test.Budget.Charge(waitedMs % 2 == 0 ? -1 : 1);
            Pass(1);
        }

        Assert.That(waitedMs, Is.EqualTo(Limits.ColdRoomPatienceShare * Limits.ColdRoomPatienceMs));
        Assert.That((waiter.Finds(0), waiter.Set.Failure), Is.EqualTo((false, ColdReadFailure.NoRoom)));
        _test.Budget.Charge(waitedMs % 2);
        Free();
    }

    [Test]
    public void What_memory_can_never_hold_is_refused_at_once()
    {
        _test.Budget.LimitBytes = 1 << 20;
        _test.Execute(_test.Keys.Make(Keys, length: 12), (shard, key, record) =>
            shard.Write(key, record, new RecordSpec(key, RecordType.String, -1), 12 << 20).MutableValue.Fill(1));
        _test.Tier.IsEager = true;
        _test.Quiesce();
        var set = _test.Worker.RentSet();
        var key = _test.Keys.Make(Keys, length: 12);
        _ = _test.Shard.Find(key, _test.NowMs, set, out _);
        Assert.That(set.TryStart(_test), Is.False, "nothing is to be waited for");
        _ = _test.Shard.Find(key, _test.NowMs, set, out _);
        Assert.That(set.Failure, Is.EqualTo(ColdReadFailure.TooLarge));
        set.Return();
    }

    private void HoldAllButTheEnd()
    {
        while (!_test.Budget.IsAtEnd)
        {
            _test.Budget.Charge(ValueBytes);
            _heldBytes += ValueBytes;
        }
    }

    private void Free()
    {
        _test.Budget.Charge(-_heldBytes);
        _heldBytes = 0;
    }

    private void Pass(int milliseconds)
    {
        for (var i = 0; i < milliseconds; i++)
        {
            _test.NowMs++;
            Complete();
        }
    }

    private Waiter Begin(params int[] keys)
    {
        var waiter = new Waiter(_test, isInParts: false);
        _waiters.Add(waiter);
        waiter.Begin(keys);
        return waiter;
    }

    private void Complete()
    {
        do
        {
            _test.Worker.Submit();
            _test.Worker.Complete(_test.NowMs, least: Math.Min(1, _test.Worker.InFlight));
        }
        while (_test.Worker.InFlight > 0);
    }

    private sealed class Waiter(TieredShard test, bool isInParts) : IColdReadWaiter
    {
        public ColdReadSet Set { get; } = test.Worker.RentSet();

        public bool HasEnded { get; private set; }

        public void Begin(params int[] keys)
        {
            HasEnded = false;
            foreach (var key in keys)
            {
                _ = Finds(key);
            }

            Assert.That(Set.TryStart(this, isInParts), "something is to be waited for");
        }

        public bool Finds(int key)
            => test.Shard.Find(test.Keys.Make(key, length: 12), test.NowMs, Set, out var record) == FindResult.Found
                && record.ValueLength == ValueBytes;

        public void OnColdReads() => HasEnded = true;
    }
}
