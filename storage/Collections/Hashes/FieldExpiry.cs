using System.Numerics;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Runtime;

namespace Strata.Storage.Collections.Hashes;

/// <summary>
/// A shard's hashes with fields that expire, in the order of their next times: a heap of their roots in the shard's
/// slabs. Roots know the hash of their key, by which their records are found wherever they were moved to. A frozen hash
/// is not in it until it is thawed. Used under the shard's lease.
/// </summary>
public sealed unsafe class FieldExpiry
{
    // Fields taken out before the time is looked at.
    private const int FieldsAtOnce = 64;

    private readonly RecordStore _store;
    private readonly SlabHeap _heap;
    private readonly long[] _byDatabase = new long[Limits.MaxDatabases];
    private TimeHeap<HashRoot> _hashes;

    internal FieldExpiry(RecordStore store, SlabHeap heap)
    {
        _store = store;
        _heap = heap;
    }

    /// <summary>Hashes that have fields that expire.</summary>
    internal long Count => _hashes.Count;

    /// <summary>Those of a database, by its physical number; any thread may read it.</summary>
    public long CountOf(byte database) => Volatile.Read(ref _byDatabase[database]);

    /// <summary>Takes fields out of a hash whose time has come, before a command looks at it: as a rule all.</summary>
    /// <param name="key">The key.</param>
    /// <param name="record">Its hash as a look-up gave it; null afterwards if they were all it had.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    /// <param name="most">How many at most; what they leave, readers do not see.</param>
    public void Expire(in Key key, ref Record record, long nowMs, int most = Limits.FieldsExpiredPerCommand)
    {
        if (most == 0 || !record.IsLarge)
        {
            return;
        }

        var root = (HashRoot*)ShardCollections.RootOf(record);
        if (root->Expiries.FirstMs < nowMs)
        {
            TakeExpired(root, key, ref record, nowMs, most);
        }
    }

    /// <summary>Takes out fields whose time has come, until none is left or <paramref name="deadline"/> has
    /// passed.</summary>
    internal void Run(long nowMs, in Deadline deadline)
    {
        while (_hashes.FirstMs < nowMs && !deadline.HasPassed)
        {
            var root = (HashRoot*)_hashes.First;
            var isFound = TryFind(root, out var record);
            Invariant.Check(isFound, "a large hash is some key's value");
            TakeExpired(root, record.KeyWith(root->KeyHash), ref record, nowMs, FieldsAtOnce);
        }
    }

    /// <summary>Makes room for a hash that is to have a field that expires.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    internal void Expect(HashRoot* root, long expiryMs)
    {
        if (root->ListedMs <= expiryMs)
        {
            return;
        }

        var listedMs = root->ListedMs;
        root->ListedMs = expiryMs;
        if (listedMs != long.MaxValue)
        {
            _hashes.Move((byte*)root);
            return;
        }

        try
        {
            _hashes.Add(_heap, (byte*)root);
            _byDatabase[root->Database]++;
        }
        catch (MemoryExhaustedException)
        {
            root->ListedMs = listedMs;
            throw;
        }
    }

    /// <summary>Follows what was done to a hash's fields.</summary>
    /// <exception cref="MemoryExhaustedException">It has fields that expire, but had none before, and was not
    /// expected; nothing was changed.</exception>
    internal void Update(HashRoot* root)
    {
        var nextMs = root->Expiries.FirstMs;
        if (nextMs == root->ListedMs)
        {
            return;
        }

        if (nextMs == long.MaxValue)
        {
            Remove(root);
        }
        else if (nextMs < root->ListedMs)
        {
            Expect(root, nextMs);
        }
        else
        {
            root->ListedMs = nextMs;
            _hashes.Move((byte*)root);
        }
    }

    /// <summary>The hash is given up.</summary>
    internal void Remove(HashRoot* root)
    {
        if (root->ListedMs != long.MaxValue)
        {
            _hashes.Remove(_heap, (byte*)root);
            root->ListedMs = long.MaxValue;
            _byDatabase[root->Database]--;
        }
    }

    /// <summary>A hash has become the value of a key.</summary>
    internal void Place(HashRoot* root, in Key key)
    {
        if (root->ListedMs != long.MaxValue)
        {
            _byDatabase[root->Database]--;
            _byDatabase[key.Database]++;
        }

        root->KeyHash = key.Hash;
        root->Database = key.Database;
    }

    /// <summary>The heap was emptied.</summary>
    internal void Clear()
    {
        _hashes = default;
        Array.Clear(_byDatabase);
    }

    /// <summary>Finds the record of a large hash.</summary>
    private bool TryFind(HashRoot* root, out Record record)
    {
        var index = _store.Index;
        var tag = IndexEntry.TagInPlace(root->KeyHash);
        for (var bucket = index.Bucket(index.BucketOf(root->KeyHash)); bucket != null; bucket = index.Next(bucket))
        {
            for (var match = HashIndex.Match(bucket, tag); match != 0; match &= match - 1)
            {
                var slot = bucket + BitOperations.TrailingZeroCount(match);
                if (_store.Log.TryOpen(IndexEntry.Address(*slot), out record)
                    && record.IsLarge && ShardCollections.RootOf(record) == root)
                {
                    return true;
                }
            }
        }

        record = default;
        return false;
    }

    /// <summary>Takes out fields whose time has come, and deletes a hash that has no others.</summary>
    private void TakeExpired(HashRoot* root, in Key key, ref Record record, long nowMs, int most)
    {
        _store.Changes.Before(key, record);
        _store.Statistics.ExpiredFields += root->Expire(_heap, nowMs, most, key, _store.Changes);
        Update(root);
        if (root->Table.Count == 0)
        {
            _store.Drop(key, record);
            record = default;
        }

        var change = new Change(KeyEvent.HExpired, author: null);
        _store.Changes.TellWhole(key, wasMissing: false, record, change);
    }
}
