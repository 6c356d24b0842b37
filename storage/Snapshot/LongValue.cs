using Strata.Storage.Collections;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Tiering;

namespace Strata.Storage.Snapshot;

/// <summary>A key whose value a snapshot takes in steps. Of a large collection it is a copy of the record, which may be
/// moved meanwhile, and the collection itself; of another value the record, which has a page of its own, in memory or
/// as it was read from the device. Before it is changed, moved or freed the rest is taken.</summary>
internal sealed unsafe class LongValue
{
    private readonly MemoryBudget _budget;
    private readonly PageLoad? _load;
    private readonly byte* _root;
    private readonly NativeBlock _copy;
    private MemoryCharge _charge;

    /// <summary>Takes up a key of a shard.</summary>
    /// <param name="record">Its record.</param>
    /// <param name="budget">What a copy is charged to.</param>
    /// <exception cref="OutOfMemoryException">There is no memory for a copy.</exception>
    public LongValue(in Record record, MemoryBudget budget)
    {
        _budget = budget;
        _charge = new MemoryCharge(budget);
        Record = record;
        if (record.IsLarge)
        {
            _root = ShardCollections.RootOf(record);
            _copy = budget.Buffers.Allocate(record.SizeBytes);
            _charge.Set(_copy.Bytes);
            Buffer.MemoryCopy(record.Header, _copy.Start, _copy.Bytes, record.SizeBytes);
            var isParsed = Record.TryParse(_copy.Start, record.SizeBytes, record.Address, out var copy);
            Invariant.Check(isParsed, "a copy is a record, too");
            Record = copy;
        }
    }

    /// <summary>Takes up a key whose page was read from the device.</summary>
    /// <param name="record">The record in what was read.</param>
    /// <param name="load">What was read; it is given back with the value.</param>
    /// <param name="budget">What a copy is charged to.</param>
    public LongValue(in Record record, PageLoad load, MemoryBudget budget)
    {
        _budget = budget;
        _charge = new MemoryCharge(budget);
        _load = load;
        Record = record;
    }

    /// <summary>The record to be written.</summary>
    public Record Record { get; }

    /// <summary>Whether some of it was taken.</summary>
    public bool IsBegun { get; set; }

    /// <summary>Whether it has its bytes from a record of the log.</summary>
    public bool IsIn(in Record record)
        => record.IsLarge ? ShardCollections.RootOf(record) == _root
            : _root == null && _load == null && record.Address == Record.Address;

    /// <summary>Whether it has its bytes from a page.</summary>
    public bool IsInPage(RecordLog log, int page)
        => _root == null && _load == null && log.PageOf(Record.Address) == page;

    /// <summary>Whether it is a large collection of this root.</summary>
    public bool HasRoot(byte* root) => _root == root;

    /// <summary>Gives back what it holds.</summary>
    public void Free()
    {
        _load?.Clear();
        if (_root != null)
        {
            _charge.Set(0);
            _budget.Buffers.Free(_copy);
        }
    }
}
