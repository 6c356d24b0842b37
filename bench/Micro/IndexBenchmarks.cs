using BenchmarkDotNet.Attributes;
using Strata.Storage.Changes;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Bench.Micro;

/// <summary>Looking single keys up and replacing their values, hash included, under no lease; in the processor's caches
/// (10,000 keys) and out of them (2 million). Not sealed, since BenchmarkDotNet derives from it.</summary>
public class IndexBenchmarks
{
    private const int ValueBytes = 100;

    private FilledShards _filled = null!;

    [Params(10_000, 2_000_000)]
    public int Keys { get; set; }

    [GlobalSetup]
    public void Fill() => _filled = new FilledShards(Keys, ValueBytes);

    [GlobalCleanup]
    public void Free() => _filled.Dispose();

    [Benchmark]
    public int FindPresent()
    {
        var key = _filled.NextPresent();
        return _filled.Shards.Of(key.Hash).Find(key, nowMs: 0, cold: null, out var record) == FindResult.Found
            ? record.ValueLength
            : throw new InvalidOperationException("A key that was set is missing.");
    }

    [Benchmark]
    public FindResult FindMissing()
    {
        var key = _filled.NextMissing();
        return _filled.Shards.Of(key.Hash).Find(key, nowMs: 0, cold: null, out _);
    }

    [Benchmark]
    public int PutInPlace()
    {
        var key = _filled.NextPresent();
        var shard = _filled.Shards.Of(key.Hash);
        shard.Find(key, nowMs: 0, cold: null, out var existing);
        return shard.Write(key, existing, new RecordSpec(key, RecordType.String, -1), ValueBytes).ValueLength;
    }

    [Benchmark]
    public int RemoveAndPut()
    {
        var key = _filled.NextPresent();
        var shard = _filled.Shards.Of(key.Hash);
        shard.TryRemove(key, nowMs: 0, cold: null, new Change(KeyEvent.Del, author: null));
        return shard.Write(key, default, new RecordSpec(key, RecordType.String, -1), ValueBytes).ValueLength;
    }
}
