using NUnit.Framework;
using Strata.Storage.Changes;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Pages that cannot be written: whether that is over, a write tells.</summary>
internal sealed class FailedWriteTests
{
    private const long LimitBytes = 1 << 20;
    private const int Keys = 3000;
    private const int Shards = 16;
    private const int ValueBytes = 100;

    private SimulatedDevice _device = null!;
    private TieredShard _test = null!;
    private MemoryCharge _others;

    [SetUp]
    public void Fail()
    {
        _device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 16);
        _test = new TieredShard(_device, LimitBytes, Shards, pageBits: 12);
        _others = new MemoryCharge(_test.Budget);
        _device.Faults.WriteErrno = Errno.InputOutput;
        _test.Tier.IsEager = true;
        Put(0, Keys);
        Run();
        Assert.That(_test.Tier.Failure, Is.EqualTo(Errno.InputOutput));
        _test.Tier.IsEager = false;
    }

    [TearDown]
    public void Stop()
    {
        _others.Set(0);
        _test.Dispose();
        _device.Dispose();
    }

    [Test]
    public void A_device_that_works_again_is_found_out_where_others_hold_the_memory()
    {
        _device.Faults.Heal();
        _test.Quiesce();
        Assert.That(_test.Tier.Failure, Is.Zero);
    }

    [Test]
    public void A_failure_is_forgotten_when_no_shard_has_anything_to_write()
    {
        Remove(0, Keys - 1);
        Run();
        Assert.That(_test.Tier.Failure, Is.Not.Zero, "one is there");
        Remove(Keys - 1, Keys);
        Run();
        Assert.That(_test.Tier.Failure, Is.Zero);
        Put(0, Keys);
        _test.Tier.IsEager = true;
        Run();
        Assert.That(_test.Tier.Failure, Is.EqualTo(Errno.InputOutput), "they cannot be written either");
    }

    [Test]
    public void A_device_that_works_again_is_found_out_where_enough_is_on_it()
    {
        _device.Faults.Heal();
        _test.Quiesce();
        foreach (var shard in _test.Shards.All)
        {
            _ = shard.TryGiveUp(0, _test.NowMs);
        }

        _test.Quiesce();
        const long Enough = LimitBytes / Shards / 8;
        Assert.That(
            _test.Shards.All.ToArray(),
            Is.All.Matches<Shard>(static shard => shard.Log.Device!.CleanBytes >= Enough),
            "it can be let go, and no more need be");
        _test.Tier.OnWriteStarted();
        _test.Tier.OnWriteEnded(Errno.InputOutput);
        _test.Quiesce();
        Assert.That(_test.Tier.Failure, Is.Zero);
    }

    /// <summary>Lets each shard find out twice; it is never quiet while all writes fail.</summary>
    private void Run()
    {
        for (var i = 0; i < 3; i++)
        {
            HoldMemory();
            _test.RunCycles();
            _test.Worker.Complete(_test.NowMs, _test.Worker.InFlight);
        }
    }

    private void HoldMemory()
        => _others.Set(
            _others.Bytes + (2 * LimitBytes) - (_test.Budget.UsedBytes - _test.Budget.RetiredBytes));

    private void Put(int from, int to)
    {
        for (var id = from; id < to; id++)
        {
            _ = _test.Execute(_test.Keys.Make(id, 8), static (shard, key, record) =>
                shard.Write(key, record, new RecordSpec(key, RecordType.String, -1), ValueBytes).MutableValue.Fill(1));
        }
    }

    private void Remove(int from, int to)
    {
        for (var id = from; id < to; id++)
        {
            _ = _test.Execute(_test.Keys.Make(id, 8), static (shard, key, record) =>
                shard.Remove(key, record, new Change(KeyEvent.Del, author: null)));
        }
    }
}
