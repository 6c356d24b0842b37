using System.Text;
using NUnit.Framework;
using Strata.Storage.Snapshot;
using Strata.Tests.Server.Changes;
using Strata.Tests.Simulation;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Storage.Tiering;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Snapshot;

/// <summary>Checkpoints of shards that change meanwhile: other shards are made of each, on the same device. The
/// cases run one after the other: shards reserve 11 TiB of a process's 128, and here are two sets of them at a time.
/// </summary>
internal sealed class CheckpointModelTests
{
    private const int Shards = 2;
    private const int PageBits = 13;
    private const int LeastEntries = 1000;
    private const int MostSteps = 200_000;

    [TestCase(1, 6_000, false)]
    [TestCase(2, 6_000, true)]
    [TestCase(3, 60_000, false, Category = TestCategories.Long)]
    [TestCase(4, 60_000, true, Category = TestCategories.Long)]
    public void A_checkpoint_is_what_the_shards_held_at_its_moment(int seed, int steps, bool isEager)
    {
        var device = new SimulatedDevice((ulong)seed, segmentBytes: 1 << 18);
        using var test = new TieredShard(device, limitBytes: 1 << 20, Shards, PageBits);
        test.Tier.CopiesReadsToTail = true;
        test.Tier.IsEager = isEager;
        test.Tier.CompactionGarbagePercent = 10;
        test.Tier.StepEffort = 64;
        var entries = 0L;
        var model = new SnapshotModel(test, seed, keys: 3000)
        {
            MayClear = true,
            OnCheckpoint = (taken, expected) =>
            {
                entries += taken.Entries.Count;
                CompareRecovered(device, taken, expected);
            },
        };
        for (var i = 0; i < steps || (entries <= LeastEntries && i < MostSteps); i++)
        {
            model.Step(); // How long a checkpoint takes, and so how many there are, depends on the machine.
        }

        model.End();
        Assert.That(model.Snapshots, Is.GreaterThan(3));
        Assert.That(entries, Is.GreaterThan(LeastEntries), "much was on the device");
        Assert.That(model.Failures, Is.Zero);
        if (!isEager)
        {
            test.Quiesce();
        }

        test.Audit();
    }

    private static void CompareRecovered(
        SimulatedDevice device, RecordedSnapshot taken, Dictionary<string, string> expected)
    {
        using var recovered = new TieredShard(new LastingDevice(device), limitBytes: 0, Shards, PageBits)
        {
            NowMs = 0, // Nothing expires.
            Thaws = false,
        };
        var recovery = new CheckpointRecovery(recovered.Shards);
        foreach (var (shard, page) in taken.Pages)
        {
            Assert.That(recovery.TryAddPage(shard, page), $"{page}");
        }

        recovery.EndPages(salt: 1, out var problem);
        Assert.That(problem, Is.Null);
        foreach (var (shard, entry, bits) in taken.Entries)
        {
            Assert.That(recovery.TryAddEntry(shard, entry, bits), "an entry's page is there");
        }

        recovered.Audit();
        Assert.That(taken.Texts.Count + taken.Entries.Count, Is.EqualTo(expected.Count));
        foreach (var (name, text) in expected)
        {
            var found = taken.Texts.TryGetValue(name, out var whole) ? whole : TakeOut(recovered, name);
            Assert.That(found, Is.EqualTo(text), name);
        }

        foreach (var shard in recovered.Shards.All)
        {
            var device2 = shard.Log.Device!;
            Assert.That(
                (shard.Index.Count, device2.ColdPages, device2.Segments.LiveBytes, device2.Segments.Count),
                Is.EqualTo((0L, 0, 0L, 0)), "with its last key each page is gone");
        }
    }

    private static string? TakeOut(TieredShard shards, string name)
    {
        var slash = name.IndexOf('/');
        var key = shards.Keys.Make(Encoding.Latin1.GetBytes(name[(slash + 1)..]), byte.Parse(name[..slash]));
        string? text = null;
        _ = shards.Execute(key, (shard, key, record) =>
        {
            text = record.IsNull ? null : RecordText.Of(record);
            if (!record.IsNull)
            {
                shard.Remove(key, record, Sharding.TestChange.Any);
            }
        });
        return text;
    }
}
