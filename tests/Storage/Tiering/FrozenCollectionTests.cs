using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Large collections on their way to the device and back, against .NET's.</summary>
internal sealed class FrozenCollectionTests
{
    private static readonly SetLimits s_limits = new(MaxIntegers: 8, MaxMembers: 8, MaxMemberBytes: 64);

    private readonly Dictionary<int, HashSet<string>> _expected = [];
    private Random _random = null!;
    private TieredShard _test = null!;

    [TearDown]
    public void TearDown() => _test.Dispose();

    [TestCase(1, 0, false)]
    [TestCase(2, 0, true)]
    [TestCase(3, 1, true)]
    public void Sets_several_times_larger_than_memory(int seed, int faultRate, bool copiesReads)
    {
        var device = Open(seed, limitBytes: 1 << 20, shards: 2);
        _test.Tier.CopiesReadsToTail = copiesReads;
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
        var before = heap.HeldBytes;
        _test.Shard.Tier!.Settle(0, _test.NowMs);
        Assert.That(before - heap.HeldBytes, Is.InRange(1 << 20, 4 << 20), "a call freezes a little");
        Assert.That(heap.DoomedBytes, Is.Zero, "and frees what it has frozen: otherwise that would pile up");
        for (var i = 0; i < 1000 && heap.HeldBytes > 0; i++)
        {
            _test.RunCycles();
        }

        _test.Quiesce();
        Assert.That(heap.HeldBytes, Is.Zero);
        Assert.That(_test.Shard.Log.LiveBytes, Is.Zero, "nor is anything left in the log");
        foreach (var number in _expected.Keys)
        {
            Use(number, Nothing);
        }
    }

    [Test]
    public void What_is_longer_than_a_call_freezes_goes_alone()
    {
        _ = Open(seed: 5, limitBytes: 256 << 20);
        for (var i = 0; i < 60; i++)
        {
            Use(1, AddThousand);
            Use(2, AddThousand);
        }

        _test.Tier.IsEager = true;
        for (var i = 0; i < 200 && _test.Shard.Collections.HeldBytes > 0; i++)
        {
            _test.RunCycles();
        }

        Assert.That(_test.Shard.Collections.HeldBytes, Is.Zero);
        Use(1, Nothing);
        Use(2, Nothing);
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

    private void AddThousand(ref SetEditor editor, HashSet<string> expected)
    {
        var isRight = true;
        for (var i = 0; i < 1000; i++)
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

    private void Drop(int number)
        => _test.Execute(Key(number), (shard, key, found) =>
        {
            if (!found.IsNull)
            {
                shard.Remove(key, found);
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

    private Key Key(int number) => _test.Keys.Make(number, 6 + (number % 20));

    private string Member()
    {
        var number = _random.Next(600).ToString(CultureInfo.InvariantCulture);
        return _random.Next(4) == 0 ? new string('m', _random.Next(300)) + number : number;
    }

    private static byte[] Bytes(string member) => Encoding.Latin1.GetBytes(member);

    private delegate void SetAction(ref SetEditor editor, HashSet<string> expected);
}
