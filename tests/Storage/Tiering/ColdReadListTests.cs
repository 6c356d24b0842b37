using NUnit.Framework;
using Strata.Storage.Log;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Sets of many cold records: found by an index, in and out of which they come and go.</summary>
internal sealed class ColdReadListTests
{
    private const int Keys = 1_500;

    [TestCase(1)]
    [TestCase(2)]
    public void Each_record_is_asked_for_once_however_many_are_taken_back(int seed)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var test = new TieredShard(device, limitBytes: 16 << 20);
        test.Tier.CompactionGarbagePercent = 100;
        test.Tier.IsEager = true;
        for (var i = 0; i < Keys; i++)
        {
            _ = test.Execute(test.Keys.Make(i, 8), (shard, key, record) =>
                shard.Write(key, record, new RecordSpec(key, RecordType.String, -1), 40).MutableValue.Fill(1));
        }

        test.Quiesce();
        test.Tier.IsEager = false;
        var random = new Random(seed);
        var set = test.Worker.RentSet();
        List<int> asked = [];
        for (var round = 0; round < 20_000; round++)
        {
            if (random.Next(400) == 0)
            {
                var kept = random.Next(asked.Count + 1);
                set.Rewind(kept);
                asked.RemoveRange(kept, asked.Count - kept);
            }

            var i = random.Next(Keys);
            var key = test.Keys.Make(i, 8);
            _ = test.Shard.Find(key, test.NowMs, set, out _);
            if (!asked.Contains(i))
            {
                asked.Add(i);
            }

            Assert.That(set.Count, Is.EqualTo(asked.Count));
        }

        Assert.That(asked, Has.Count.GreaterThan(300));
        set.Rewind(0);
        set.Reset();
        set.Return();
    }
}
