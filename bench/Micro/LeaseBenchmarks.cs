using BenchmarkDotNet.Attributes;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Bench.Micro;

/// <summary>What a free lease costs: to take and give back, and to read without it; with one worker and with several.
/// Not sealed, since BenchmarkDotNet derives from it.</summary>
public class LeaseBenchmarks
{
    private readonly Quiescence _quiescence = new(workers: 1);
    private ShardMap _shards = null!;
    private Shard _shard = null!;

    [Params(false, true)]
    public bool IsShared { get; set; }

    [GlobalSetup]
    public void Make()
    {
        var settings = new ShardSettings(Shards: 1, Limits.MinPageBits, IsShared);
        _shards = new ShardMap(settings, new MemoryBudget(), _quiescence);
        _shard = _shards[0];
    }

    [GlobalCleanup]
    public void Free()
    {
        _shards.Dispose();
        _quiescence.Dispose();
    }

    [Benchmark]
    public void TakeAndRelease()
    {
        if (!_shard.Lease.TryAcquire())
        {
            throw new InvalidOperationException("The lease is taken, and there is nobody to hold it.");
        }

        _shard.Lease.Release();
    }

    [Benchmark]
    public bool OptimisticRead()
    {
        var version = _shard.Lease.ReadVersion();
        return _shard.Lease.IsUnchanged(version);
    }
}
