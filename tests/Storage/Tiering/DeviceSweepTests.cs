using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Tiering;

internal sealed class DeviceSweepTests
{
    private const int Lasting = 600;
    private const int Expiring = 100;
    private const int ValueBytes = 200;

    /// <summary>A page whose expired records cannot be read says nothing about the segment that is being compacted.
    /// </summary>
    [Test]
    public void A_page_that_cannot_be_read_for_expiry_does_not_stop_compaction()
    {
        var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 16);
        using var test = new TieredShard(device, limitBytes: 1 << 20, pageBits: 12);
        test.Tier.CompactionGarbagePercent = 100;
        test.Tier.IsEager = true;
        Put(test, 0, Lasting, expiryMs: -1);
        test.Quiesce();
        Put(test, Lasting, Expiring, test.NowMs + 1_000_000);
        test.Quiesce();
        var log = test.Shard.Log;
        Remove(test, 0, Lasting * 3 / 4);

        test.Tier.IsEager = false;
        test.Tier.CompactionGarbagePercent = 20;
        test.RunCycles();
        var swept = test.Shard.Tier!.SweptPages;
        Assert.That(test.Worker.InFlight, Is.EqualTo(1), "a page of the victim is on its way");
        Assert.That(test.Shard.Tier.TryExpire(FirstCold(log, expires: true)));
        test.Worker.Complete(test.NowMs, least: 1);
        Assert.That(test.Shard.Tier.SweptPages, Is.EqualTo(swept + 1));
        device.Faults.ReadErrno = Errno.InputOutput;
        test.Worker.Complete(test.NowMs, least: 1);
        device.Faults.Heal();

        for (var page = 1; page < log.PageTop; page++)
        {
            var isCold = log.Pages[page].Kind == PageKind.Cold;
            Assert.That(isCold && log.Device!.Segments.Of(log.Device.Locate(page).Offset)!.IsUnreadable, Is.False);
        }

        test.Quiesce();
        Assert.That(test.Shard.Tier.SweptPages, Is.GreaterThan(swept + 1), "compaction goes on");
    }

    [Test]
    public void What_expired_in_a_page_that_cannot_be_read_is_deleted_when_it_can_be_read_again()
    {
        var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 16);
        using var test = new TieredShard(device, limitBytes: 1 << 20, pageBits: 12);
        test.Tier.CompactionGarbagePercent = 100;
        test.Tier.IsEager = true;
        Put(test, 0, Expiring, test.NowMs + 1000);
        Put(test, Expiring, Lasting, expiryMs: -1);
        test.Quiesce();
        device.Faults.ReadErrno = Errno.InputOutput;
        test.NowMs += 2000;
        test.Quiesce();
        Assert.That(test.Shard.Index.Count, Is.EqualTo(Expiring + Lasting));

        device.Faults.Heal();
        test.NowMs += Limits.ExpiryRetryMs + 1;
        test.Quiesce();

        Assert.That(test.Shard.Index.Count, Is.EqualTo(Lasting));
    }

    /// <summary>What is read back to be moved is not held a second time.</summary>
    [TestCase(3 << 20)]
    [TestCase(20 << 20)]
    public void A_large_record_of_a_segment_that_is_emptied_counts_once(int valueBytes)
    {
        const int Others = 20;
        var device = new SimulatedDevice(seed: 1, segmentBytes: 32 << 20);
        using var test = new TieredShard(device, limitBytes: 256 << 20);
        test.Tier.CompactionGarbagePercent = 100;
        test.Tier.IsEager = true;
        var value = PutRandom(test, Others, valueBytes);
        Put(test, 0, Others, expiryMs: -1, ((30 << 20) - valueBytes) / Others);
        test.Quiesce();
        Put(test, Others + 1, Others, expiryMs: -1, (30 << 20) / Others); // The next segment.
        test.Quiesce();
        Remove(test, 0, Others);
        test.Quiesce();
        var used = test.Budget.UsedBytes;
        var most = MostHeld(test);

        test.Tier.CompactionGarbagePercent = 20;
        test.Quiesce();

        Assert.That(test.Shard.Statistics.CompactedBytes, Is.GreaterThan(valueBytes), "it was moved");
        Assert.That(most(), Is.LessThan(used + (valueBytes / 2)), "beside the place that is made for it");
        _ = test.Execute(
            test.Keys.Make(Others, 8), (shard, key, record) => Assert.That(record.Value.SequenceEqual(value)));
    }

    [TestCase(3 << 20)]
    [TestCase(20 << 20)]
    public void A_large_record_that_is_read_again_and_goes_back_to_memory_counts_once(int valueBytes)
    {
        var device = new SimulatedDevice(seed: 1, segmentBytes: 32 << 20);
        using var test = new TieredShard(device, limitBytes: 256 << 20);
        test.Tier.CompactionGarbagePercent = 100;
        test.Tier.CopiesReadsToTail = true;
        test.Tier.IsEager = true;
        var value = PutRandom(test, 0, valueBytes);
        test.Quiesce();
        test.Tier.IsEager = false;
        var used = test.Budget.UsedBytes;
        var most = MostHeld(test);

        for (var i = 0; i < 4; i++)
        {
            _ = test.Execute(
                test.Keys.Make(0, 8), (shard, key, record) => Assert.That(record.Value.SequenceEqual(value)));
        }

        Assert.That(test.Worker.CopiedRecords, Is.EqualTo(1));
        Assert.That(most(), Is.LessThan(used + (valueBytes / 2)), "beside the place that is made for it");
    }

    /// <summary>The most that is held whenever memory for data is taken, without what is leaving.</summary>
    private static Func<long> MostHeld(TieredShard test)
    {
        var most = 0L;
        test.Budget.Refuses = _ =>
        {
            most = Math.Max(most, test.Budget.UsedBytes - test.Budget.LeavingBytes);
            return false;
        };
        return () => most;
    }

    private static byte[] PutRandom(TieredShard test, int number, int valueBytes)
    {
        var value = new byte[valueBytes];
        new Random(1).NextBytes(value);
        _ = test.Execute(test.Keys.Make(number, 8), (shard, key, record) => value.CopyTo(
            shard.Write(key, record, new RecordSpec(key, RecordType.String, -1), valueBytes).MutableValue));
        return value;
    }

    private static int FirstCold(RecordLog log, bool expires)
    {
        for (var page = 1; page < log.PageTop; page++)
        {
            if (log.Pages[page].Kind == PageKind.Cold && log.Pages[page].ExpiringRecords > 0 == expires)
            {
                return page;
            }
        }

        throw new InvalidOperationException("no such page is on the device alone");
    }

    private static void Put(
        TieredShard test, int first, int count, long expiryMs, int valueBytes = ValueBytes)
    {
        for (var i = first; i < first + count; i++)
        {
            _ = test.Execute(test.Keys.Make(i, 8), (shard, key, record) =>
                shard.Write(key, record, new RecordSpec(key, RecordType.String, expiryMs), valueBytes).MutableValue
                    .Fill(1));
        }
    }

    private static void Remove(TieredShard test, int first, int count)
    {
        for (var i = first; i < first + count; i++)
        {
            _ = test.Execute(
                test.Keys.Make(i, 8), static (shard, key, record) => shard.Remove(key, record, TestChange.Any));
        }
    }
}
