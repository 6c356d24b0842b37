using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Tests.Storage.Leases;

[TestFixture]
internal sealed class ShardLeaseTests
{
    [Test]
    public void Only_one_thread_holds_it()
    {
        using var quiescence = new Quiescence(2);
        using var shards = new ShardMap(new ShardSettings(1, 16, IsShared: true), new MemoryBudget(), quiescence);
        var shard = shards[0];
        var sum = 0L; // Changed under the lease only: increments get lost if two threads hold it.
        var threads = Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            for (var i = 0; i < 20_000; i++)
            {
                while (!shard.Lease.TryAcquireSpinning())
                {
                    Thread.Yield();
                }

                sum++;
                shard.Lease.Release();
            }
        })).ToArray();
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        Assert.That(sum, Is.EqualTo(80_000));
    }

    [Test]
    public void A_reader_notices_every_change([Values] bool isShared)
    {
        using var quiescence = new Quiescence(1);
        using var shards = new ShardMap(new ShardSettings(1, 16, isShared), new MemoryBudget(), quiescence);
        var shard = shards[0];
        var version = shard.Lease.ReadVersion();
        Assert.That(version & 1, Is.Zero);
        Assert.That(shard.Lease.IsUnchanged(version), Is.True);
        Assert.That(shard.Lease.TryAcquire(), Is.True);
        Assert.That(shard.Lease.ReadVersion() & 1, Is.EqualTo(1));
        Assert.That(shard.Lease.TryAcquire(), Is.False);
        shard.Lease.Release();
        Assert.That(shard.Lease.IsUnchanged(version), Is.False);
        Assert.That(shard.Lease.ReadVersion() & 1, Is.Zero);
    }
}
