using System.Text;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Records;

/// <summary>A shard whose keys are named by strings, for tests of walks over it.</summary>
internal sealed unsafe class WalkedShard : IDisposable
{
    public const long NowMs = 1_000_000;

    private readonly Quiescence _quiescence = new(1);
    private readonly ShardMap _shards;

    public WalkedShard()
    {
        _shards = new ShardMap(new ShardSettings(1, 14, IsShared: false), new MemoryBudget(), _quiescence);
    }

    public Shard Shard => _shards[0];

    public void Add(string name, byte database = 0, long expiryMs = -1)
    {
        fixed (byte* bytes = Encoding.ASCII.GetBytes(name))
        {
            var key = new Key(bytes, name.Length, database);
            Shard.TryGet(key, NowMs, cold: null, out var existing);
            Shard.Write(key, existing, new RecordSpec(key, RecordType.String, expiryMs), 1).MutableValue[0] = 1;
        }

        Shard.Settle(0, NowMs);
    }

    public bool Remove(string name, byte database = 0)
    {
        fixed (byte* bytes = Encoding.ASCII.GetBytes(name))
        {
            return Shard.TryRemove(new Key(bytes, name.Length, database), NowMs, cold: null, TestChange.Any);
        }
    }

    /// <summary>Takes back index buckets as the background cycle does.</summary>
    /// <returns>How many.</returns>
    public int Shrink(int buckets)
    {
        var taken = 0;
        while (taken < buckets && Shard.Index.TryShrink())
        {
            taken++;
        }

        return taken;
    }

    public void Dispose()
    {
        _shards.Dispose();
        _quiescence.Dispose();
    }
}
