using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Records;

/// <summary>
/// Visits the keys of one database in one shard, bucket by bucket in the order of the index's cursor; expired ones
/// too, which whoever walks may delete (<see cref="Expire"/>) or pass over. Used under the lease, and as long as
/// nothing else is changed; a later walk that starts from <see cref="Cursor"/> goes on whatever was changed meanwhile:
/// every key that is there from the first walk's start to the last one's end is met at least once (<see
/// cref="HashIndex.NextCursor"/>). Any number is a cursor.
/// </summary>
public unsafe ref struct KeyWalk
{
    private readonly RecordStore _store;
    private readonly byte _database;
    private readonly IColdRecords? _cold;
    private ulong* _head;
    private ulong* _bucket;
    private int _slot;

    /// <summary>A walk over the keys of a database.</summary>
    /// <param name="store">The store.</param>
    /// <param name="database">The database's physical number.</param>
    /// <param name="cold">What is at hand of the records on the device, and is asked for the others, which the walk
    /// passes over.</param>
    /// <param name="cursor">Where the walk starts.</param>
    public KeyWalk(RecordStore store, byte database, IColdRecords? cold, ulong cursor = 0)
    {
        _store = store;
        _database = database;
        _cold = cold;
        Cursor = cursor;
    }

    /// <summary>Where the walk goes on after the bucket entered last; 0 when that was the last one.</summary>
    public ulong Cursor { get; private set; }

    /// <summary>Enters the bucket the cursor names.</summary>
    public void EnterBucket()
    {
        Cursor = _store.Index.NextCursor(Cursor, out var bucket);
        _head = _store.Index.Bucket(bucket);
        _bucket = _head;
        _slot = 0;
        for (var i = 0; i < HashIndex.EntriesPerBucket && _bucket[i] != 0; i++)
        {
            _store.Log.Prefetch(IndexEntry.Address(_bucket[i]));
        }
    }

    /// <summary>The next key of the bucket entered.</summary>
    /// <returns>False when the bucket has no more.</returns>
    public bool TryNext(out Record record)
    {
        for (; _bucket != null; _bucket = _store.Index.Next(_bucket), _slot = 0)
        {
            while (_slot < HashIndex.EntriesPerBucket)
            {
                var entry = _bucket[_slot++];
                if (entry != 0
                    && _store.Open(_database, IndexEntry.Address(entry), _cold, out record) == FindResult.Found)
                {
                    return true;
                }
            }
        }

        record = default;
        return false;
    }

    /// <summary>Deletes the key met last, whose time has come, unless such keys stay.</summary>
    public void Expire(in Record record, long nowMs)
    {
        if (_store.ExpiryHold.Holds(nowMs))
        {
            return;
        }

        // The chain's last entry moves into the hole, to be met next; an overflow bucket it leaves empty is gone.
        _slot--;
        var isLastOfOverflow = _slot == 0 && _bucket != _head && _bucket[1] == 0 && _store.Index.Next(_bucket) == null;
        _store.Expire(record.ComputeHash(), _bucket + _slot, record);
        if (isLastOfOverflow)
        {
            _bucket = null;
        }
    }
}
