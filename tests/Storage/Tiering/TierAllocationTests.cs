using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Log;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Work with a tier in its steady state allocates nothing; it is measured alone.</summary>
[NonParallelizable]
internal sealed class TierAllocationTests
{
    private const int Keys = 20_000;
    private const int Steps = 100_000;

    [Test]
    public void Cold_reads_and_writes_allocate_nothing()
    {
        using var test = new TieredShard(new MemoryDevice(segmentBytes: 1 << 20), limitBytes: 1 << 20, shards: 2);
        Work(test, writesPerHundred: 100);
        Work(test, writesPerHundred: 12);
        var reads = test.Worker.Reads;

        // The device makes an object for each new segment of a mebibyte; nothing is made for an operation.
        const int Enough = Steps / 50;
        var allocated = AllocationMeter.LeastOf(() => Work(test, writesPerHundred: 12), Enough);
        Assert.That(allocated, Is.LessThanOrEqualTo(Enough));
        Assert.That(test.Worker.Reads - reads, Is.GreaterThan(Steps / 2), "most were on the device");
    }

    private static void Work(TieredShard test, int writesPerHundred)
    {
        var state = 1UL;
        for (var i = 0; i < Steps; i++)
        {
            state = (state * 6364136223846793005) + 1442695040888963407;
            var draw = (int)(state >> 40);
            var key = test.Keys.Make(draw % Keys, 8);
            var isWrite = i % 100 < writesPerHundred;
            if (i % 1000 == 0)
            {
                test.RunCycles();
            }

            _ = test.Execute(key, isWrite, static (shard, key, record, isWrite) =>
            {
                if (isWrite)
                {
                    var spec = new RecordSpec(key, RecordType.String, expiryMs: -1);
                    shard.Write(key, record, spec, 100 + (key.Length % 7)).MutableValue.Fill(1);
                }
            });
        }
    }
}
