using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Index;
using Strata.Storage.Records;

namespace Strata.Tests.Storage.Tiering;

public sealed class ColdLookupTests
{
    [Test]
    public void A_key_whose_tag_is_zero_does_not_take_empty_slots_for_records_on_the_device()
    {
        using var tiered = new TieredShard(new MemoryDevice(segmentBytes: 1 << 20), limitBytes: 1 << 20);
        var key = KeyWithoutTag(tiered);
        var set = tiered.Worker.RentSet();
        Assert.That(tiered.Shard.Find(key, tiered.NowMs, set, out _), Is.EqualTo(FindResult.Missing));
        Assert.That(set.Lookups, Is.Zero, "there is nothing on the device to look for");
        set.Return();
    }

    private static Key KeyWithoutTag(TieredShard tiered)
    {
        for (var number = 0L; ; number++)
        {
            var key = tiered.Keys.Make(number, length: 12);
            if (IndexEntry.TagInPlace(key.Hash) == 0)
            {
                return key;
            }
        }
    }
}
