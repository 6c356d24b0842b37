using NUnit.Framework;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Pages that cannot be written: whether that is over, a write tells.</summary>
internal sealed class FailedWriteTests
{
    private const long LimitBytes = 1 << 20;
    private const int Keys = 50;
    private const int ValueBytes = 100;

    [Test]
    public void A_device_that_works_again_is_found_out_where_others_hold_the_memory()
    {
        var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 16);
        using var test = new TieredShard(device, LimitBytes, shards: 2, pageBits: 12);
        device.Faults.WriteErrno = Errno.InputOutput;
        test.Tier.IsEager = true;
        for (var id = 0; id < Keys; id++)
        {
            _ = test.Execute(test.Keys.Make(id, 8), static (shard, key, record) =>
                shard.Write(key, record, new RecordSpec(key, RecordType.String, -1), ValueBytes).MutableValue.Fill(1));
        }

        test.Quiesce();
        Assert.That(test.Tier.Failure, Is.EqualTo(Errno.InputOutput));
        test.Tier.IsEager = false;
        var charge = new MemoryCharge(test.Budget);
        charge.Set((LimitBytes / 16 * 15) - test.Budget.UsedBytes);
        device.Faults.Heal();

        test.Quiesce();

        Assert.That(test.Tier.Failure, Is.Zero);
        charge.Set(0);
    }
}
