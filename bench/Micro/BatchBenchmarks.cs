using BenchmarkDotNet.Attributes;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Bench.Micro;

/// <summary>What gathering the keys of a batch gains over looking them up one after the other: their buckets, then
/// their records, are fetched before the first is looked at. The time is of one key of 30, among 2 million keys. Not
/// sealed, since BenchmarkDotNet derives from it.</summary>
public class BatchBenchmarks
{
    private const int BatchKeys = 30;

    private readonly Key[] _batch = new Key[BatchKeys];
    private FilledShards _filled = null!;

    [GlobalSetup]
    public void Fill() => _filled = new FilledShards(keys: 2_000_000, valueBytes: 100);

    [GlobalCleanup]
    public void Free() => _filled.Dispose();

    [Benchmark(Baseline = true, OperationsPerInvoke = BatchKeys)]
    public long OneByOne()
    {
        var bytes = 0L;
        for (var i = 0; i < BatchKeys; i++)
        {
            bytes += Read(_filled.NextPresent());
        }

        return bytes;
    }

    [Benchmark(OperationsPerInvoke = BatchKeys)]
    public long Gathered()
    {
        for (var i = 0; i < BatchKeys; i++)
        {
            var key = _filled.NextPresent();
            _filled.Shards.Of(key.Hash).Index.Prefetch(key.Hash);
            _batch[i] = key;
        }

        foreach (ref readonly var key in _batch.AsSpan())
        {
            _filled.Shards.Of(key.Hash).PrefetchRecord(key.Hash);
        }

        var bytes = 0L;
        foreach (ref readonly var key in _batch.AsSpan())
        {
            bytes += Read(key);
        }

        return bytes;
    }

    private long Read(in Key key)
    {
        _filled.Shards.Of(key.Hash).Find(key, nowMs: 0, cold: null, out Record record);
        return record.Value[^1];
    }
}
