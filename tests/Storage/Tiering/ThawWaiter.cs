using NUnit.Framework;
using Strata.Storage.Index;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Tests.Storage.Tiering;

/// <summary>A command that waits for a key's frozen collection, which is on the device, to be made large.</summary>
internal sealed class ThawWaiter : IColdReadWaiter, IDisposable
{
    private readonly ColdReadSet _set;

    /// <summary>Reads the frozen record, and asks for the collection.</summary>
    public ThawWaiter(TieredShard test, in Key key)
    {
        _set = test.Worker.RentSet();
        ColdReadSet.Current = _set;
        var shard = test.Shards.Of(key.Hash);
        var found = shard.Find(key, test.NowMs, out var record);
        Assert.That(_set.TryStart(this), "the record is on the device");
        while (!HasEnded)
        {
            test.Worker.Submit();
            test.Worker.Complete(test.NowMs, least: 1);
        }

        HasEnded = false;
        found = shard.Find(key, test.NowMs, out record);
        Assert.That(found, Is.EqualTo(FindResult.Found));
        Assert.That(record.IsFrozen);
        _set.Thaw(shard, key, record);
        Assert.That(_set.TryStart(this), "it takes several steps");
        ColdReadSet.Current = null;
    }

    /// <summary>Whether what was waited for has ended.</summary>
    public bool HasEnded { get; private set; }

    public void OnColdReads() => HasEnded = true;

    public void Dispose() => _set.Return();
}
