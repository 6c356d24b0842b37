using NUnit.Framework;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Storage.Tiering;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Snapshot;

/// <summary>Snapshots of shards that change meanwhile: in memory, and on a device.</summary>
[Parallelizable(ParallelScope.All)]
internal sealed class SnapshotModelTests
{
    /// <summary>The index grows and shrinks under the walk.</summary>
    [TestCase(1, 20_000)]
    [TestCase(2, 60_000, Category = TestCategories.Long)]
    public void A_snapshot_is_what_was_in_memory_at_its_moment(int seed, int steps)
    {
        var device = new SimulatedDevice((ulong)seed, segmentBytes: 1 << 20);
        using var test = new TieredShard(device, limitBytes: 0, shards: 2);
        var model = new SnapshotModel(test, seed, keys: 4000);
        for (var phase = 0; phase < 6; phase++)
        {
            model.IsGrowing = phase % 2 == 0;
            for (var i = 0; i < steps / 6; i++)
            {
                model.Step();
            }
        }

        model.End();
        Assert.That(model.Snapshots, Is.GreaterThan(10));
        Assert.That(model.InSteps, Is.GreaterThan(10), "some values were taken in steps");
        Assert.That(model.Failures + model.Cleared, Is.Zero);
    }

    [TestCase(3, 15_000, false)]
    [TestCase(4, 15_000, true)]
    [TestCase(5, 80_000, false, Category = TestCategories.Long)]
    [TestCase(6, 80_000, true, Category = TestCategories.Long)]
    public void A_snapshot_is_what_was_in_memory_and_on_the_device(int seed, int steps, bool isEager)
    {
        var device = new SimulatedDevice((ulong)seed, segmentBytes: 1 << 18);
        using var test = new TieredShard(device, limitBytes: 1 << 20, shards: 2, pageBits: 13);
        test.Tier.CopiesReadsToTail = true;
        test.Tier.IsEager = isEager;
        test.Tier.CompactionGarbagePercent = 10;
        test.Tier.StepEffort = 64;
        var model = new SnapshotModel(test, seed, keys: 4000);
        for (var i = 0; i < steps; i++)
        {
            model.Step();
        }

        model.End();
        Assert.That(model.Snapshots, Is.GreaterThan(3));
        Assert.That(test.Worker.Reads, Is.GreaterThan(1000), "much was on the device");
        Assert.That(model.Failures, Is.Zero);
        if (!isEager)
        {
            test.Quiesce(); // What is pushed out at once, and swept together again, never comes to rest.
        }

        test.Audit();
    }

    /// <summary>Whatever the device does, a snapshot that ends well is right.</summary>
    [TestCase(7, 60)]
    [TestCase(8, 1000, Category = TestCategories.Long)]
    public void Schedules_of_faults_and_clears(int first, int schedules)
    {
        var (snapshots, failures, cleared) = (0, 0, 0);
        for (var seed = first; seed < first + schedules; seed++)
        {
            var random = new Random(seed);
            var device = new SimulatedDevice((ulong)seed, segmentBytes: 1 << 16);
            using var test = new TieredShard(
                device, limitBytes: 96 << 10, shards: 1 << random.Next(2), pageBits: 12 + random.Next(3),
                throttleLimit: 1 + random.Next(8));
            test.Tier.CompactionGarbagePercent = 1 + random.Next(99);
            test.Tier.CopiesReadsToTail = random.Next(2) == 0;
            test.Tier.StepEffort = 64;
            var model = new SnapshotModel(test, seed, keys: 300) { MayClear = true };
            for (var i = 0; i < 700; i++)
            {
                model.Step();
                if (random.Next(25) == 0)
                {
                    device.Vary(random);
                }
            }

            device.Faults.Heal();
            model.End();
            snapshots += model.Snapshots;
            failures += model.Failures;
            cleared += model.Cleared;
        }

        Assert.That(snapshots, Is.GreaterThan(2 * schedules));
        Assert.That(failures, Is.GreaterThan(schedules / 20), "the faults were felt");
        Assert.That(cleared, Is.GreaterThan(schedules / 20), "and the clears");
    }
}
