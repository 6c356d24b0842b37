using Strata.Storage.Index;

namespace Strata.Storage.Records;

/// <summary>The live records of a page, or of a stretch of it. Hashes all keys and asks for their index buckets before
/// it looks into the first, so that the cache misses of a whole stretch overlap.</summary>
internal sealed unsafe class PageScan
{
    private ScannedRecord[] _records = new ScannedRecord[64];
    private int _count;

    /// <summary>The records found, in the page's order. Addresses stay right while records of the page are dropped or
    /// moved one by one; slots must be looked up again.</summary>
    public ReadOnlySpan<ScannedRecord> Records => _records.AsSpan(0, _count);

    /// <summary>Reads on from <paramref name="offset"/>.</summary>
    /// <returns>False when the page's end was reached.</returns>
    public bool Read(RecordStore store, int page, ref long offset, int maxRecords = int.MaxValue)
    {
        _count = 0;
        var isMore = true;
        while (_count < maxRecords && (isMore = store.Log.TryWalk(page, ref offset, out var record)))
        {
            if (record.IsDead)
            {
                continue;
            }

            if (_count == _records.Length)
            {
                Array.Resize(ref _records, _records.Length * 2);
            }

            var hash = record.ComputeHash();
            store.Index.Prefetch(hash);
            _records[_count++] = new ScannedRecord(hash, record.Address, 0);
        }

        for (var i = 0; i < _count; i++)
        {
            ref var scanned = ref _records[i];
            var slot = store.FindSlot(scanned.Hash, scanned.Address);
            Invariant.Check(slot != null, "the index points to every live record");
            scanned = scanned with { Frequency = IndexEntry.Frequency(*slot) };
        }

        return isMore;
    }
}
