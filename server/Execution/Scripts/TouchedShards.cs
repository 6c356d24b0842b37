using System.Numerics;
using Strata.Server.Commands.Model;
using Strata.Storage.Index;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution.Scripts;

/// <summary>The shards that the commands of a script have used, of which the housekeeping is to be done.</summary>
internal sealed class TouchedShards : IShardSet
{
    private readonly ShardMap _shards;
    private readonly ulong[] _touched;

    /// <summary>None yet.</summary>
    public TouchedShards(ShardMap shards)
    {
        _shards = shards;
        _touched = new ulong[(shards.Count + 63) / 64];
    }

    /// <inheritdoc/>
    public void Add(in Key key) => Add(_shards.NumberOf(key.Hash));

    /// <inheritdoc/>
    public void Add(int shard) => _touched[shard >> 6] |= 1UL << (shard & 63);

    /// <inheritdoc/>
    public void AddAll()
    {
        for (var i = 0; i < _shards.Count; i++)
        {
            Add(i);
        }
    }

    /// <summary>Lets them do their housekeeping, and forgets them. Nobody else may use them meanwhile.</summary>
    public void Settle(int worker, long nowMs)
    {
        for (var word = 0; word < _touched.Length; word++)
        {
            for (; _touched[word] != 0; _touched[word] &= _touched[word] - 1)
            {
                _shards[(word << 6) + BitOperations.TrailingZeroCount(_touched[word])].Settle(worker, nowMs);
            }
        }
    }
}
