using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Tiering;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Commands that need more records from the device than memory has room for what is known of the reads.
/// </summary>
internal sealed class ColdShortageTests
{
    private const int Keys = 2 * Limits.ManyColdReads;

    private SimulatedDevice _device = null!;
    private TieredShard _test = null!;
    private ColdReadSet _set = null!;

    // What is charged for others, so that memory is at its end.
    private long _takenBytes;

    [SetUp]
    public void Fill()
    {
        _device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        _test = new TieredShard(_device, limitBytes: 16 << 20);
        for (var i = 0; i < Keys; i++)
        {
            _ = _test.Execute(_test.Keys.Make(i, length: 12), static (shard, key, record) =>
                shard.Write(key, record, new RecordSpec(key, RecordType.String, -1), valueLength: 100));
        }

        _test.Tier.IsEager = true;
        _test.Quiesce();
        _test.Tier.IsEager = false;
        _set = _test.Worker.RentSet();
    }

    [TearDown]
    public void Stop()
    {
        _test.Budget.Charge(-_takenBytes);
        _takenBytes = 0;
        _set.Return();
        _test.Dispose();
        _device.Dispose();
    }

    [Test]
    public void With_room_all_are_asked_for()
    {
        var used = _test.Budget.UsedBytes;
        LookUpAll();
        Assert.That((_set.Count, _set.ShortBytes, _set.Misses), Is.EqualTo((Keys, 0, Keys)));
        Assert.That(_test.Budget.UsedBytes - used, Is.InRange(Keys * 64L, Keys * 128L), "no read is made for it yet");
    }

    [Test]
    public void Without_room_few_are_and_what_all_need_is_known()
    {
        TakeAllMemory();
        var used = _test.Budget.UsedBytes;
        LookUpAll();
        Assert.That(_set.Count, Is.EqualTo(Limits.ManyColdReads));
        Assert.That(_set.ShortBytes, Is.GreaterThan(Keys * 320L).And.LessThan(Keys * 1000L));
        Assert.That(_set.Misses, Is.EqualTo(Keys), "nobody is to think that a key is not there");
        Assert.That(_test.Budget.UsedBytes - used, Is.LessThan(Limits.ManyColdReads * 400L));
    }

    [Test]
    public void What_is_asked_for_again_is_taken_when_there_is_room()
    {
        TakeAllMemory();
        LookUpAll();
        _set.Clear();
        GiveMemoryBack();
        LookUpAll();
        Assert.That((_set.Count, _set.ShortBytes), Is.EqualTo((Keys, 0)));
    }

    [Test]
    public void What_is_refused_fails_and_is_not_missed()
    {
        TakeAllMemory();
        LookUpAll();
        _set.EndShortage(isTaken: false);
        GiveMemoryBack();
        var misses = _set.Misses;
        LookUpAll();
        Assert.That((_set.Count, _set.ShortBytes, _set.Misses - misses), Is.EqualTo((0, 0, 0)));
        Assert.That(_set.Failure, Is.EqualTo(ColdReadFailure.NoRoom));
        Assert.That(_set.HasRefused);
    }

    [Test]
    public void What_was_refused_leaves_nothing_behind()
    {
        var used = _test.Budget.UsedBytes;
        TakeAllMemory();
        LookUpAll();
        _set.EndShortage(isTaken: false);
        _set.Reset();
        GiveMemoryBack();
        Assert.That((_test.Budget.UsedBytes, _test.Worker.ColdAskBytes), Is.EqualTo((used, 0)));
    }

    [Test]
    public void What_is_taken_all_the_same_is_taken()
    {
        TakeAllMemory();
        LookUpAll();
        _set.EndShortage(isTaken: true);
        LookUpAll();
        Assert.That((_set.Count, _set.ShortBytes), Is.EqualTo((Keys, 0)));
    }

    [Test]
    public void A_single_one_is_always_taken()
    {
        var others = _test.Worker.RentSet();
        LookUpAll(others);
        TakeAllMemory();
        _ = _test.Shard.Find(_test.Keys.Make(0, length: 12), _test.NowMs, _set, out _);
        Assert.That((_set.Count, _set.ShortBytes), Is.EqualTo((1, 0)));
        others.Return();
    }

    private void TakeAllMemory()
    {
        while (!_test.Budget.WouldPassEndNow(0))
        {
            _test.Budget.Charge(1 << 20);
            _takenBytes += 1 << 20;
        }
    }

    private void GiveMemoryBack()
    {
        _test.Budget.Charge(-_takenBytes);
        _takenBytes = 0;
    }

    private void LookUpAll() => LookUpAll(_set);

    private void LookUpAll(ColdReadSet set)
    {
        for (var i = 0; i < Keys; i++)
        {
            var found = _test.Shard.Find(_test.Keys.Make(i, length: 12), _test.NowMs, set, out _);
            Assert.That(found, Is.Not.EqualTo(FindResult.Found));
        }
    }
}
