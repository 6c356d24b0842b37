using NUnit.Framework;
using Strata.Storage.Index;
using Strata.Storage.Records;
using Strata.Storage.Tiering;

namespace Strata.Tests.Storage.Tiering;

/// <summary>A command, or some that share a set, waiting for a key's frozen collection, which is on the device, to be
/// made large.</summary>
internal sealed class ThawWaiter : IColdReadWaiter, IDisposable
{
    private readonly TieredShard _test;
    private readonly ColdReadSet _set;

    /// <summary>Reads the frozen record, and asks for the collection.</summary>
    public ThawWaiter(TieredShard test, in Key key, int commands = 1)
    {
        _test = test;
        _set = test.Worker.RentSet();
        Assert.That(TryAgain(key, commands), "it takes several steps");
    }

    /// <summary>Whether what was waited for has ended.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Whether the collection was refused for want of memory.</summary>
    public bool IsRefused => _set.Failure == ColdReadFailure.NoRoom;

    /// <summary>Reads the record, which is frozen again, and asks for the collection.</summary>
    /// <returns>False when it is not made large for the command.</returns>
    public bool TryAgain(in Key key, int commands = 1)
    {
        var shard = _test.Shards.Of(key.Hash);
        HasEnded = false;
        _ = shard.Find(key, _test.NowMs, _set, out _);
        Assert.That(_set.TryStart(this), "the record is on the device");
        while (!HasEnded)
        {
            _test.Worker.Submit();
            _test.Worker.Complete(_test.NowMs, least: 1);
        }

        return Asks(key, commands);
    }

    /// <summary>Asks for the collection, of which the frozen record has been read.</summary>
    /// <returns>Whether it is waited for.</returns>
    public bool Asks(in Key key, int commands = 1)
    {
        var shard = _test.Shards.Of(key.Hash);
        HasEnded = false;
        _set.ForgetFailure();
        Assert.That(shard.Find(key, _test.NowMs, _set, out var record), Is.EqualTo(FindResult.Found));
        Assert.That(record.IsFrozen);
        var misses = _set.Misses;
        for (var i = 0; i < commands; i++)
        {
            _set.Thaw(shard, key, record);
        }

        Assert.That(_set.Misses - misses, Is.AnyOf(0, commands), "all are to wait, or none");
        return _set.TryStart(this);
    }

    public void OnColdReads() => HasEnded = true;

    public void Dispose() => _set.Return();
}
