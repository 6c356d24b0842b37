using Strata.Storage.Log;

namespace Strata.Storage.Collections;

/// <summary>
/// A shard's collections that take more than a part of its share of memory. As of a huge value, what they take is taken
/// from all shards: the shard alone would have to give up all its other keys for one of them, and then the collection.
/// Their weight is noted when eviction, or the way to the device, comes past them. Used under the shard's lease.
/// </summary>
internal sealed class HugeCollections
{
    private readonly Dictionary<nint, long> _weights = [];

    /// <summary>Collections of more bytes than this are huge.</summary>
    public long LimitBytes { get; set; } = long.MaxValue;

    /// <summary>Bytes of those that are known.</summary>
    public long Bytes { get; private set; }

    /// <summary>Notes a record's collection if it is huge, with what it weighs now.</summary>
    public unsafe void Note(in Record record)
    {
        if (!record.IsLarge)
        {
            return;
        }

        var root = (nint)ShardCollections.RootOf(record);
        var weight = ShardCollections.WeightOf(record);
        Forget(root);
        if (weight > LimitBytes)
        {
            _weights.Add(root, weight);
            Bytes += weight;
        }
    }

    /// <summary>Whether a record's collection was huge when it was noted last.</summary>
    public unsafe bool Contains(in Record record)
        => record.IsLarge && _weights.ContainsKey((nint)ShardCollections.RootOf(record));

    /// <summary>A collection is given up.</summary>
    public void Forget(nint root)
    {
        if (_weights.Remove(root, out var weight))
        {
            Bytes -= weight;
        }
    }

    /// <summary>All collections are given up.</summary>
    public void Clear()
    {
        _weights.Clear();
        Bytes = 0;
    }
}
