using System.Runtime.InteropServices;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>
/// The cold records that commands need: those that look-ups met without having them, and, once they are read, the
/// records; and the frozen collections that are made large for them. A command looks keys up with a set; when it asked
/// for something new, its reply is thrown away, the set is read, and the command executed again. What was read counts
/// only as long as the index still points to its place on the device, so that nothing outdated is used. Belongs to one
/// worker.
/// </summary>
public sealed class ColdReadSet : IColdRecords
{
    // Up to here reads are found by going through their addresses, then by hashing.
    private const int FewReads = 128;

    private readonly TierWorker? _worker;
    private readonly List<ColdRead> _reads = [];
    private readonly List<ulong> _addresses = [];
    private readonly Dictionary<(int Shard, ulong Address), int> _index = [];
    private IColdReadWaiter? _waiter;
    private int _started;
    private int _missing;
    private int _thawRounds;
    private bool _asksForThaws;

    /// <summary>A set that reads through a worker; or, without one, a set that only counts what it was asked for: for
    /// commands that another worker executes, to which they must return.</summary>
    public ColdReadSet(TierWorker? worker = null)
    {
        _worker = worker;
    }

    /// <summary>Records asked for, read or not.</summary>
    public int Count => _reads.Count;

    /// <summary>Whether records were asked for whose reading has not begun: their places must stay what they are.
    /// </summary>
    public bool HasUnread => _started < _reads.Count;

    /// <summary>How often a look-up met a record that is on the device alone.</summary>
    public long Lookups { get; private set; }

    /// <summary>How often a look-up met a record that is not there yet: a command during which this changed has seen
    /// less than it should.</summary>
    public long Misses { get; private set; }

    /// <summary>Whether reads, or what follows them, are under way.</summary>
    public bool IsReading => _missing > 0;

    /// <summary>Whether a look-up met a record that cannot be had, since <see cref="ForgetFailure"/>.</summary>
    public ColdReadFailure Failure { get; private set; }

    /// <summary>The errno that goes with it.</summary>
    public int FailureErrno { get; private set; }

    /// <summary>Whether the command looks at values: where not, of large records only header and key are read.
    /// </summary>
    public bool TakesValues { get; set; } = true;

    /// <summary>Forgets what the last command met.</summary>
    public void ForgetFailure() => Failure = ColdReadFailure.None;

    /// <summary>Takes back what was asked for after there were <paramref name="count"/>: whoever asked had seen a shard
    /// half changed.</summary>
    public void Rewind(int count)
    {
        Invariant.Check(count >= _started, "only what is not being read is taken back");
        while (_reads.Count > count)
        {
            var read = _reads[^1];
            _reads.RemoveAt(_reads.Count - 1);
            _addresses.RemoveAt(_addresses.Count - 1);
            _ = _index.Remove((read.Shard, read.Address));
            read.Return();
        }
    }

    /// <summary>Begins to read all that was asked for.</summary>
    /// <returns>False when nothing is being read: <paramref name="waiter"/> is not called.</returns>
    public bool TryStart(IColdReadWaiter waiter)
    {
        _waiter = waiter;
        _thawRounds += _asksForThaws ? 1 : 0;
        _asksForThaws = false;
        _missing++; // Reads that end at once must not end the wait for those not begun.
        for (; _started < _reads.Count; _started++)
        {
            _missing += _reads[_started].TryStart() ? 1 : 0;
        }

        return --_missing > 0;
    }

    /// <summary>Asks for a frozen collection to be made large, if that takes long. It counts as a miss then. Under the
    /// shard's lease.</summary>
    /// <param name="store">The shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="frozen">Its record as just looked up.</param>
    public void Thaw(TieredStore store, in Key key, in Record frozen)
    {
        var tier = store.Tier!;
        if (_thawRounds == Limits.MaxThawRounds
            || ShardCollections.EffortFor(frozen, frozen.ValueLength) <= tier.Tier.StepEffort)
        {
            return;
        }

        Misses++;
        if (_worker != null)
        {
            _asksForThaws = true;
            _missing++;
            tier.Thaw(this, _worker, key.Hash, frozen);
        }
    }

    /// <summary>Gives the set back; nothing of it may be under way.</summary>
    public void Return() => _worker!.Sets.Return(this);

    /// <summary>Makes the set ready for other commands; nothing of it may be under way. Costs next to nothing when
    /// nothing was asked for, as where nothing is cold.</summary>
    public void Reset()
    {
        if (_waiter != null || _reads.Count > 0)
        {
            Clear();
            _waiter = null;
            Failure = ColdReadFailure.None;
        }
    }

    /// <summary>Moves back into memory what was read again since it left: the records of the set that commands have
    /// used, whose shards' leases are free.</summary>
    public void CopyToTail(long nowMs)
    {
        foreach (var read in _reads)
        {
            var shard = _worker!.Tier.Shard(read.Shard);
            var store = shard.Store;
            var isWhole = read is { State: ColdReadState.Read, IsHeadOnly: false };
            if (isWhole && !_worker.Budget.IsOver && store.Lease.TryAcquire())
            {
                _worker.CopiedRecords += shard.TryCopyToTail(read.Record, read.Generation) ? 1 : 0;
                store.Settle(_worker.Number, nowMs);
                store.Lease.Release();
            }
        }
    }

    /// <summary>Forgets all records, so that others find room. None may be under way.</summary>
    public void Clear()
    {
        Invariant.Check(_missing == 0, "a set that is read is waited for");
        foreach (var read in _reads)
        {
            read.Return();
        }

        _reads.Clear();
        _addresses.Clear();
        _index.Clear();
        _started = 0;
        _thawRounds = 0;
        _asksForThaws = false;
    }

    /// <inheritdoc/>
    public bool TryOpen(RecordStore store, ulong address, out Record record)
    {
        record = default;
        Lookups++;
        if (_worker == null)
        {
            Misses++;
            return false;
        }

        var pages = store.Log.Device!;
        var page = store.Log.PageOf(address);
        var shard = store.Number;
        var generation = pages.GenerationOf(page);
        var read = Find(shard, address, generation);
        if (read == null)
        {
            pages.Segments.BeginReads(_worker.Number);
            read = _worker.ReadPool.Rent();
            var image = pages.Locate(page);
            read.Ask(this, shard, address, pages.Segments, image, store.Log.OffsetOf(address), TakesValues);
            _reads.Add(read);
            _addresses.Add(address);
            if (_reads.Count == FewReads)
            {
                for (var i = 0; i < _reads.Count; i++)
                {
                    _index[(_reads[i].Shard, _reads[i].Address)] = i;
                }
            }
            else if (_reads.Count > FewReads)
            {
                _index[(shard, address)] = _reads.Count - 1;
            }

            Misses++;
            return false;
        }

        switch (read.State)
        {
            case ColdReadState.Read:
                record = read.Record;
                return true;
            case ColdReadState.Failed:
                Failure = ColdReadFailure.Device;
                FailureErrno = read.Error;
                return false;
            case ColdReadState.Damaged:
                Failure = ColdReadFailure.Damaged;
                return false;
            default:
                Misses++;
                return false;
        }
    }

    /// <summary>A record of the set that a key of <paramref name="database"/> still has.</summary>
    public bool TryTakeLive(byte database, long nowMs, out Record record)
    {
        foreach (var read in _reads)
        {
            record = read.Record;
            if (read.State == ColdReadState.Read && record.Database == database && !record.IsExpired(nowMs)
                && _worker!.Tier.Shard(read.Shard).IsCurrent(record, read.Generation))
            {
                return true;
            }
        }

        record = default;
        return false;
    }

    internal void OnRead()
    {
        if (--_missing == 0)
        {
            _waiter!.OnColdReads();
        }
    }

    /// <summary>A collection that was asked for is large, or nobody's. On the thread of <paramref name="worker"/>,
    /// whose task it was.</summary>
    internal void OnThawed(TierWorker worker)
    {
        if (worker == _worker)
        {
            OnRead();
        }
        else
        {
            _worker!.Worker!.Post(new ThawNotice(this));
        }
    }

    private ColdRead? Find(int shard, ulong address, long generation)
    {
        if (_reads.Count >= FewReads)
        {
            return _index.TryGetValue((shard, address), out var index) && IsUsable(_reads[index], generation)
                ? _reads[index]
                : null;
        }

        var addresses = CollectionsMarshal.AsSpan(_addresses);
        for (var from = 0; ; from++)
        {
            var next = addresses[from..].IndexOf(address);
            if (next < 0)
            {
                return null;
            }

            from += next;
            var read = _reads[from];
            if (read.Shard == shard && IsUsable(read, generation))
            {
                return read;
            }
        }
    }

    private bool IsUsable(ColdRead read, long generation)
        => read.Generation == generation && read.State != ColdReadState.Gone && !(TakesValues && read.IsHeadOnly);

    /// <summary>Takes the end of a thaw to the set's worker.</summary>
    private sealed class ThawNotice(ColdReadSet set) : WorkItem
    {
        /// <inheritdoc/>
        public override void Run(Worker worker) => set.OnRead();
    }
}
