using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Storage.Index;
using Strata.Tests.Storage.Sharding;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Large collections on their way to the device and back, against .NET's.</summary>
internal sealed class FrozenCollectionTests
{
    private const int OfOtherDatabase = 1000;

    private static readonly SetLimits s_limits = new(MaxIntegers: 8, MaxMembers: 8, MaxMemberBytes: 64);

    private readonly Dictionary<int, HashSet<string>> _expected = [];
    private Random _random = null!;
    private TieredShard _test = null!;

    [TearDown]
    public void TearDown() => _test.Dispose();

    [TestCase(1, 0, false, false, Category = TestCategories.Long)]
    [TestCase(2, 0, true, false, Category = TestCategories.Long)]
    [TestCase(3, 1, true, false, Category = TestCategories.Long)]
    [TestCase(6, 0, false, true, Category = TestCategories.Long)]
    [TestCase(7, 1, true, true)]
    public void Sets_several_times_larger_than_memory(int seed, int faultRate, bool copiesReads, bool isEager)
    {
        var device = Open(seed, limitBytes: 1 << 20, shards: 2);
        _test.Tier.CopiesReadsToTail = copiesReads;
        _test.Tier.IsEager = isEager;
        _test.Tier.CompactionGarbagePercent = 20;
        for (var i = 0; i < 8_000; i++)
        {
            Step(_random.Next(250));
            if (faultRate > 0 && _random.Next(50) == 0)
            {
                device.Vary(_random);
            }
        }

        device.Faults.Heal();
        _test.Quiesce();
        Assert.That(_expected.Values.Sum(set => set.Sum(member => 32L + member.Length)), Is.GreaterThan(4 << 20));
        Assert.That(_test.Budget.UsedBytes - _test.Budget.RetiredBytes, Is.LessThan(3 << 20), "memory holds its limit");
        foreach (var number in _expected.Keys)
        {
            Use(number, Nothing);
        }

        _test.Audit();
    }

    [Test]
    public void What_nobody_uses_leaves_memory_whole()
    {
        _ = Open(seed: 4, limitBytes: 64 << 20);
        for (var number = 0; number < 300; number++)
        {
            Use(number, AddThousand);
        }

        var heap = _test.Shard.Collections;
        Assert.That(heap.HeldBytes, Is.GreaterThan(10 << 20));
        _test.Tier.IsEager = true;
        var most = 0L;
        for (var i = 0; i < 30_000 && heap.HeldBytes > 0; i++)
        {
            Turn();
            most = Math.Max(most, heap.DoomedBytes);
        }

        Assert.That(most, Is.InRange(1, 200_000), "one is freed before the next is frozen");
        AssertAllIsOnDevice();
    }

    [Test]
    public void Small_ones_are_frozen_some_at_a_time()
    {
        _ = Open(seed: 5, limitBytes: 64 << 20);
        for (var number = 0; number < 300; number++)
        {
            Use(number, AddTwenty);
        }

        var heap = _test.Shard.Collections;
        _test.Tier.IsEager = true;
        _test.Shard.Tier!.Settle(0, _test.NowMs);
        var frozen = Enumerable.Range(0, 300).Count(number =>
            _test.Shard.Find(Key(number), _test.NowMs, cold: null, out var record) == FindResult.Found
            && record.IsFrozen);
        Assert.That(frozen, Is.InRange(1, 10), "a call freezes a little");
        Assert.That(_test.Worker.Tasks, Is.Zero, "at once");
        Assert.That(heap.DoomedBytes, Is.Zero, "and frees what it has frozen: otherwise that would pile up");
        AssertAllIsOnDevice();
    }

    [Test]
    public void What_is_done_while_a_set_is_frozen_stands(
        [Values] Interruption interruption, [Values(1, 40, 70, 85)] int steps)
    {
        _ = Open(seed: 8, limitBytes: 64 << 20);
        for (var i = 0; i < 5; i++)
        {
            Use(1, AddThousand);
        }

        _test.Tier.IsEager = true;
        for (var i = 0; i < steps; i++)
        {
            Turn();
        }

        Assert.That(_test.Tier.Freezes, Is.EqualTo(1), "it is being packed, or freed");
        Interrupt(interruption);
        AssertAllIsOnDevice();
    }

    [Test]
    public void What_is_done_while_a_set_is_thawed_stands(
        [Values] Interruption interruption, [Values(1, 20, 40)] int steps)
    {
        Freeze();
        using var first = new ThawWaiter(_test, Key(1));
        using var second = new ThawWaiter(_test, Key(1));
        for (var i = 0; i < steps; i++)
        {
            _test.Turn();
        }

        Assert.That(_test.Worker.Tasks, Is.EqualTo(1), "both wait for one");
        Assert.That(first.HasEnded || second.HasEnded, Is.False);
        Interrupt(interruption);
        _test.Quiesce();
        Assert.That(first.HasEnded && second.HasEnded);
        _test.Tier.IsEager = true;
        AssertAllIsOnDevice();
    }

    [Test]
    public void One_that_is_read_while_it_is_frozen_stays()
    {
        _ = Open(seed: 10, limitBytes: 64 << 20);
        Use(1, AddThousand);
        _test.Tier.IsEager = true;
        for (var i = 0; i < 5; i++)
        {
            Turn();
        }

        Assert.That(_test.Tier.Freezes, Is.EqualTo(1));
        _test.Shard.Find(Key(1), _test.NowMs, cold: null, out var record);
        _test.Shard.Touch(Key(1), record);
        for (var i = 0; i < 14; i++)
        {
            Turn();
        }

        Assert.That(_test.Shard.Find(Key(1), _test.NowMs, cold: null, out record), Is.EqualTo(FindResult.Found));
        Assert.That(record.IsLarge, "that was given up, and begun again");
        AssertAllIsOnDevice();
    }

    /// <summary>Changed by nobody who reads it, as fields of a hash that expire.</summary>
    [Test]
    public void One_that_changes_all_the_time_holds_up_no_others()
    {
        const int others = 20;
        _ = Open(seed: 11, limitBytes: 64 << 20);
        for (var number = 1; number <= others; number++)
        {
            Use(number, AddThousand);
        }

        _test.Tier.IsEager = true;
        for (var i = 0; i < 5_000; i++)
        {
            if (i % 5 == 0)
            {
                var result = _test.Shard.Find(Key(1), _test.NowMs, cold: null, out var record);
                Assert.That(result, Is.EqualTo(FindResult.Found));
                var editor = new SetEditor(_test.Shard, Key(1), record, s_limits);
                Assert.That(editor.Add(Bytes($"{i}")), Is.EqualTo(_expected[1].Add($"{i}")));
            }

            Turn();
        }

        Assert.That(_test.Shard.Collections.Frozen, Is.EqualTo(others - 1), "all but that one");
        AssertAllIsOnDevice();
    }

    [Test]
    public void Commands_of_one_run_wait_for_one_thaw()
    {
        Freeze();
        using var waiter = new ThawWaiter(_test, Key(1), commands: 40);
        Assert.That(_test.Worker.Tasks, Is.EqualTo(1));
        _test.Quiesce();
        Assert.That(waiter.HasEnded);
        Assert.That(_test.Shard.Collections.Thawed, Is.EqualTo(1));
    }

    [Test]
    public void Who_waited_often_in_vain_waits_no_more()
    {
        Freeze();
        using var waiter = new ThawWaiter(_test, Key(1));
        for (var round = 1; round < Limits.MaxThawRounds; round++)
        {
            FreezeAgain();
            Assert.That(waiter.TryAgain(Key(1)), Is.True, $"round {round}");
        }

        FreezeAgain();
        Assert.That(waiter.TryAgain(Key(1)), Is.False, "the command makes it large by itself");

        void FreezeAgain()
        {
            _test.Quiesce();
            Assert.That(waiter.HasEnded);
            _test.Tier.IsEager = true;
            AssertIsGone();
            _test.Tier.IsEager = false;
        }
    }

    [Test]
    public void At_the_end_of_memory_none_is_made_large()
    {
        Freeze();
        using var waiter = new ThawWaiter(_test, Key(1));
        _test.Budget.Charge(2 * _test.Budget.LimitBytes);
        _test.Turn();
        _test.NowMs += Limits.ThawPatienceMs;
        Assert.That(waiter.HasEnded, Is.False, "it waits");
        _test.Turn();
        Assert.That(waiter.HasEnded);
        Assert.That((waiter.Asks(Key(1)), waiter.IsRefused), Is.EqualTo((false, true)));
        _test.Budget.Charge(-2 * _test.Budget.LimitBytes);
        Assert.That(waiter.Asks(Key(1)));
        _test.Quiesce();
    }

    /// <summary>What may happen to a collection while it is frozen or thawed.</summary>
    public enum Interruption
    {
        Nothing,
        Read,
        ThawAtOnce,
        Change,
        Delete,
        Expire,
        Rename,
        ClearAll,
        ClearDatabase,
    }

    /// <summary>Makes a set that is on the device.</summary>
    private void Freeze()
    {
        _ = Open(seed: 9, limitBytes: 64 << 20);
        for (var i = 0; i < 5; i++)
        {
            Use(1, AddThousand);
        }

        _test.Tier.IsEager = true;
        AssertIsGone();
        _test.Tier.IsEager = false;
    }

    private void Interrupt(Interruption interruption)
    {
        switch (interruption)
        {
            case Interruption.Nothing:
                break;
            case Interruption.Read:
                Look(1);
                break;
            case Interruption.ThawAtOnce:
                _test.Thaws = false;
                _test.Execute(Key(1), (shard, key, found) =>
                {
                    _ = found.IsFrozen ? shard.Collections.Thaw(key, found) : found;
                });
                break;
            case Interruption.Change:
                Use(1, AddThousand);
                break;
            case Interruption.Delete:
                _test.Thaws = false;
                Drop(1);
                break;
            case Interruption.Expire:
                _test.Thaws = false;
                _test.Execute(
                    Key(1), (shard, key, found) => shard.SetExpiry(key, found, _test.NowMs + 10, TestChange.Any));
                _test.NowMs += 20;
                _test.Execute(Key(1), (_, _, found) => Assert.That(found.IsNull));
                _ = _expected.Remove(1);
                break;
            case Interruption.Rename:
                _test.Thaws = false;
                Rename(1, 2);
                break;
            case Interruption.ClearAll:
                DatabaseEraser.EraseAll(_test.Shard, author: null);
                _expected.Clear();
                break;
            default:
                Use(OfOtherDatabase, AddTwenty);
                DatabaseEraser.Erase(_test.Shard, database: 0, author: null);
                _ = _expected.Remove(1);
                break;
        }

        _test.Thaws = true;
    }

    private void Turn()
    {
        _test.Shard.Tier!.Settle(0, _test.NowMs);
        _test.Turn();
    }

    private void AssertIsGone()
    {
        var heap = _test.Shard.Collections;
        for (var i = 0; i < 30_000 && (heap.HeldBytes > 0 || _test.Shard.Log.LiveBytes > 0); i++)
        {
            _test.RunCycles();
        }

        _test.Quiesce();
        Assert.That(heap.HeldBytes, Is.Zero);
        Assert.That(heap.DoomedBytes, Is.Zero);
        Assert.That(_test.Shard.Log.LiveBytes, Is.Zero, "nor is anything left in the log");
    }

    private void AssertAllIsOnDevice()
    {
        AssertIsGone();
        _test.Audit();
        Assert.That(_test.Shard.Index.Count, Is.EqualTo(_expected.Count));
        foreach (var number in _expected.Keys)
        {
            Use(number, Nothing);
        }
    }

    private static void Nothing(ref SetEditor editor, HashSet<string> expected)
    {
        // To be looked at was all.
    }

    private SimulatedDevice Open(int seed, long limitBytes, int shards = 1)
    {
        _expected.Clear();
        _random = new Random(seed);
        var device = new SimulatedDevice((ulong)seed, segmentBytes: 1 << 20);
        _test = new TieredShard(device, limitBytes, shards, pageBits: 14);
        _test.Tier.StepEffort = 64;
        return device;
    }

    private void Step(int number)
    {
        var choice = _random.Next(100);
        if (choice < 70)
        {
            Use(number, (ref SetEditor editor, HashSet<string> expected) =>
            {
                var isRight = true;
                for (var i = _random.Next(80); i >= 0; i--)
                {
                    var member = Member();
                    isRight &= editor.Add(Bytes(member)) == expected.Add(member);
                }

                Assert.That(isRight);
            });
        }
        else if (choice < 95)
        {
            Use(number, (ref SetEditor editor, HashSet<string> expected) =>
            {
                var member = Member();
                Assert.That(!editor.Set.IsEmpty && editor.Remove(Bytes(member)), Is.EqualTo(expected.Remove(member)));
            });
        }
        else if (choice == 95)
        {
            Drop(number);
        }

        if (_random.Next(20) == 0)
        {
            _test.NowMs += _random.Next(30);
            _test.RunCycles();
        }
    }

    private void AddThousand(ref SetEditor editor, HashSet<string> expected) => Add(ref editor, expected, 1000);

    private void AddTwenty(ref SetEditor editor, HashSet<string> expected) => Add(ref editor, expected, 20);

    private static void Add(ref SetEditor editor, HashSet<string> expected, int count)
    {
        var isRight = true;
        for (var i = 0; i < count; i++)
        {
            var member = expected.Count.ToString(CultureInfo.InvariantCulture) + "-member-of-some-length";
            isRight &= editor.Add(Bytes(member)) == expected.Add(member);
        }

        Assert.That(isRight);
    }

    /// <summary>Compares a key's set, and does something with it; whatever the device does, it is right or refused.
    /// </summary>
    private void Use(int number, SetAction action)
        => _test.Execute(Key(number), (shard, key, found) =>
        {
            var expected = Compare(number, ref found, shard, key);
            var editor = new SetEditor(shard, key, found, s_limits);
            action(ref editor, expected);
            _expected[number] = expected;
        });

    private void Look(int number)
        => _test.Execute(Key(number), (shard, key, found) => Compare(number, ref found, shard, key));

    private void Rename(int number, int newNumber)
        => _test.Execute(Key(number), (shard, key, found) =>
        {
            using var keys = new NativeKeys();
            var destination = keys.Make(newNumber, 6 + (newNumber % 20));
            RecordTransfer.Move(
                shard, key, found, shard, destination, existing: default, TestChange.Any, TestChange.Any);
            _ = _expected.Remove(number, out var set);
            _expected[newNumber] = set!;
        });

    private void Drop(int number)
        => _test.Execute(Key(number), (shard, key, found) =>
        {
            if (!found.IsNull)
            {
                shard.Remove(key, found, TestChange.Any);
                _expected.Remove(number);
            }
        });

    private HashSet<string> Compare(int number, ref Record found, Shard shard, in Key key)
    {
        if (!found.IsNull && found.IsFrozen)
        {
            found = shard.Collections.Thaw(key, found);
        }

        var expected = _expected.GetValueOrDefault(number) ?? [];
        var members = 0;
        foreach (var member in new SetReader(found))
        {
            members++;
            if (!expected.Contains(Encoding.Latin1.GetString(member)))
            {
                Assert.Fail($"key {number} has a member too many");
            }
        }

        Assert.That(members, Is.EqualTo(expected.Count));
        return expected;
    }

    private Key Key(int number)
        => _test.Keys.Make(number, 6 + (number % 20), database: (byte)(number == OfOtherDatabase ? 1 : 0));

    private string Member()
    {
        var number = _random.Next(600).ToString(CultureInfo.InvariantCulture);
        return _random.Next(4) == 0 ? new string('m', _random.Next(300)) + number : number;
    }

    private static byte[] Bytes(string member) => Encoding.Latin1.GetBytes(member);

    private delegate void SetAction(ref SetEditor editor, HashSet<string> expected);
}
