using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Interop;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Storage.Tiering;

/// <summary>What large collections take on their way to the device and back: little more than when they are at rest,
/// however large they are.</summary>
internal sealed class FrozenCollectionMemoryTests
{
    private const int Members = 20_000;
    private const int MemberBytes = 1000;
    private const long Megabyte = 1 << 20;

    // Two parts ahead of the device, and the first, which goes last.
    private const long FreezeBytes = 4 * Megabyte;

    // Parts of huge pages at both ends of what was read.
    private const long ThawBytes = 5 * Megabyte;

    private static readonly SetLimits s_limits = new(MaxIntegers: 8, MaxMembers: 8, MaxMemberBytes: 64);

    private SimulatedDevice _device = null!;
    private TieredShard _test = null!;
    private long _peak;

    private Key Key => _test.Keys.Make(1, length: 10);

    [SetUp]
    public void SetUp()
    {
        _device = new SimulatedDevice(seed: 1, segmentBytes: Megabyte);
        _test = new TieredShard(_device, 256 * Megabyte, pageBits: 16);
        _test.Execute(Key, (shard, key, found) =>
        {
            var editor = new SetEditor(shard, key, found, s_limits);
            for (var i = 0; i < Members; i++)
            {
                _ = editor.Add(Member(i));
            }
        });
    }

    [TearDown]
    public void TearDown()
    {
        _test.Dispose();
        _device.Dispose();
    }

    [Test]
    public void Packing_takes_little()
    {
        _device.Faults.DelayRate = 1;
        Assert.That(PeakWhile(Freeze), Is.LessThan(FreezeBytes));
        Assert.That(_test.Shard.Collections.HeldBytes, Is.Zero);
        Assert.That(_test.Budget.UsedBytes - _test.Budget.RetiredBytes, Is.LessThan(FreezeBytes), "it has left memory");
        AssertIsWhole();
    }

    [Test]
    public void What_is_made_large_takes_the_place_of_what_was_read()
    {
        Freeze();
        _test.Tier.IsEager = false;
        var peak = PeakWhile(() =>
        {
            using var waiter = new ThawWaiter(_test, Key);
            while (!waiter.HasEnded)
            {
                Turn();
            }
        });
        Assert.That(peak, Is.LessThan(_test.Shard.Collections.HeldBytes + ThawBytes));
        AssertIsWhole();
    }

    [Test]
    public void A_command_that_names_it_many_times_waits_for_it_once()
    {
        Freeze();
        _test.Tier.IsEager = false;
        var before = GC.GetAllocatedBytesForCurrentThread();
        using var waiter = new ThawWaiter(_test, Key, commands: 100_000);
        while (!waiter.HasEnded)
        {
            Turn();
        }

        Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(Megabyte));
        AssertIsWhole();
    }

    [Test]
    public void One_that_the_device_does_not_take_stays()
    {
        _device.Faults.WriteErrno = Errno.NoSpace;
        _test.Tier.IsEager = true;
        var peak = PeakWhile(() =>
        {
            for (var i = 0; i < 2000; i++)
            {
                Turn();
            }
        });
        Assert.That(peak, Is.LessThan(FreezeBytes));
        Assert.That(_test.Tier.LastFailure, Is.EqualTo(Errno.NoSpace));
        Assert.That(_test.Shard.Collections.Frozen, Is.Zero);
        AssertIsWhole();
        _device.Faults.Heal();
        Freeze();
        AssertIsWhole();
    }

    [Test]
    public void One_that_is_changed_in_the_midst_gives_up_its_place()
    {
        _test.Tier.IsEager = true;
        for (var i = 0; _device.UsedBytes < 5 * Megabyte; i++)
        {
            Assert.That(i, Is.LessThan(10_000));
            Turn();
        }

        _test.Tier.IsEager = false;
        _test.Execute(Key, (shard, key, found) =>
        {
            Assert.That(found.IsLarge);
            var editor = new SetEditor(shard, key, found, s_limits);
            Assert.That(editor.Remove(Member(Members - 1)));
            Assert.That(editor.Add(Member(Members - 1)));
        });
        _test.Quiesce();
        Assert.That(_test.Tier.Freezes, Is.Zero);
        Assert.That(_test.Shard.Tier!.Segments.LiveBytes, Is.Zero);
        _test.Audit();
        AssertIsWhole();
    }

    private void Freeze()
    {
        _test.Tier.IsEager = true;
        for (var i = 0; _test.Shard.Collections.HeldBytes + _test.Shard.Log.LiveBytes > 0; i++)
        {
            Assert.That(i, Is.LessThan(100_000));
            Turn();
        }

        _test.Quiesce();
    }

    private void Turn()
    {
        _test.RunCycles();
        _test.Shard.Tier!.Settle(0, _test.NowMs);
        _peak = Math.Max(_peak, _test.Budget.UsedBytes - _test.Budget.RetiredBytes);
    }

    private long PeakWhile(Action action)
    {
        var before = _peak = _test.Budget.UsedBytes - _test.Budget.RetiredBytes;
        action();
        return _peak - before;
    }

    private void AssertIsWhole()
    {
        _test.Tier.IsEager = false;
        _test.Execute(Key, (shard, key, found) =>
        {
            found = found.IsFrozen ? shard.Collections.Thaw(key, found) : found;
            HashSet<string> members = [];
            foreach (var member in new SetReader(found))
            {
                members.Add(Encoding.Latin1.GetString(member));
            }

            Assert.That(members, Has.Count.EqualTo(Members));
            Assert.That(Enumerable.Range(0, Members).All(i => members.Contains(Encoding.Latin1.GetString(Member(i)))));
        });
    }

    private static byte[] Member(int number)
        => Encoding.Latin1.GetBytes(number.ToString(CultureInfo.InvariantCulture).PadLeft(MemberBytes, 'm'));
}
