using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Tiering;

/// <summary>
/// A shard's traffic with the tier: sends the oldest pages to the device before memory runs out, lets go of those that
/// are there, and finds space on the device again. Used under the shard's lease, except where a member says otherwise.
/// </summary>
internal sealed unsafe class ShardTier
{
    // Memory that is to be had at once, or will be when writes under way have ended: an eighth of the limit.
    private const int ReserveShare = 8;

    // Writes of one shard under way: enough to keep a device busy together with those of the other shards.
    private const int MaxWrites = 4;

    // The frequency of a record that was read twice; what leaves memory begins at 0.
    private const int ReadAgain = 2;

    private readonly TieredStore _store;
    private readonly Tier _tier;
    private readonly MemoryBudget _budget;
    private readonly ShardShare _share;
    private readonly Stack<PageWrite> _idleWrites = new();
    private readonly List<PageWrite> _writes = new(MaxWrites);
    private readonly PageRescue _rescue;
    private readonly CollectionFreeze _freeze;
    private readonly Dictionary<(ulong Address, long Generation), CollectionThaw> _thaws = [];
    private readonly DeviceSweep _sweep;
    private bool _hasEnded;
    private bool _mayRetry;
    private bool _hasNothingToWrite;

    public ShardTier(TieredStore store, Tier tier, MemoryBudget budget)
    {
        _store = store;
        _tier = tier;
        _budget = budget;
        _share = store.Share;
        _freeze = new CollectionFreeze(store, tier);
        _rescue = new PageRescue(store, tier, _freeze);
        _sweep = new DeviceSweep(store, this, budget);
        Holds = new ShardHolds(store.Log.Device!.Segments, tier.Checkpoints);
        for (var i = 0; i < MaxWrites; i++)
        {
            _idleWrites.Push(new PageWrite(this));
        }

        tier.Register(this);
    }

    public TieredStore Store => _store;

    /// <summary>The segments that checkpoints name.</summary>
    public ShardHolds Holds { get; }

    public Tier Tier => _tier;

    /// <summary>Where the shard's pages lie on the device.</summary>
    public LogSegments Segments => Pages.Segments;

    /// <summary>Whether a request, or a freeze, has ended that the shard has not dealt with. Any thread.</summary>
    public bool HasEnded => Volatile.Read(ref _hasEnded);

    /// <summary>Pages written.</summary>
    public long WrittenPages { get; private set; }

    /// <summary>Bytes written.</summary>
    public long WrittenBytes { get; private set; }

    /// <summary>Pages read back by compaction and expiry.</summary>
    public long SweptPages => _sweep.Pages;

    /// <summary>While the last write has failed: whether the shard found nothing to write when it looked last. Any
    /// thread.</summary>
    public bool HasNothingToWrite => Volatile.Read(ref _hasNothingToWrite);

    private DevicePages Pages => _store.Log.Device!;

    private long ReserveBytes => _budget.LimitBytes / ReserveShare;

    /// <summary>Pays for what the last commands appended.</summary>
    public void Settle(int worker, long nowMs)
    {
        Harvest(worker, nowMs);
        if (_tier.IsEager)
        {
            PushOut(worker, nowMs);
            return;
        }

        if (_budget.LimitBytes == 0)
        {
            return;
        }

        CountReads(_budget.WouldExceed(2 * ReserveBytes));
        while (_budget.IsOver && _share.IsHeldWithHugeValues && TryDrop())
        {
            // Each is one page.
        }

        if (_budget.WouldExceed(ReserveBytes) && _share.IsHeldWithHugeValues)
        {
            Write(worker, nowMs);
        }
    }

    /// <summary>Lets go of a page's memory, and begins to write others, freezing the collections of some.</summary>
    /// <returns>False when no memory was let go.</returns>
    public bool TryGiveUp(int worker, long nowMs)
    {
        Harvest(worker, nowMs);
        var isDone = TryDrop();
        Write(worker, nowMs);
        return isDone || _rescue.HasFrozen;
    }

    /// <summary>The home worker's share: tries again what failed, and looks for space on the device.</summary>
    public void RunCycle(int worker, long nowMs)
    {
        if (!_budget.WouldExceed(ReserveBytes))
        {
            _tier.ForgetFailure(); // Nothing has to be written any more.
        }

        _mayRetry = true;
        Settle(worker, nowMs);
        Retry(worker, nowMs);

        if (_tier.Worker(worker) is { } own)
        {
            _sweep.Run(own, nowMs);
        }

        Holds.Follow();
        RemoveSegments(worker);
        if (_budget.WouldExceed(2 * ReserveBytes) && Segments.TryNameNext(out var next))
        {
            _tier.Device.PrepareSegment(next);
        }
    }

    /// <summary>Asks for the expired records of a page that is on the device alone to be deleted.</summary>
    /// <returns>False when that has to wait.</returns>
    public bool TryExpire(int page) => _sweep.TryExpire(page);

    /// <summary>The shard is being emptied.</summary>
    public void Reset()
    {
        _sweep.Reset();
        _freeze.Reset();
        foreach (var thaw in _thaws.Values)
        {
            thaw.Reset();
        }
    }

    /// <summary>The record of a large collection was moved within the log.</summary>
    public void OnMoved(byte* root, ulong address) => _freeze.OnMoved(root, address);

    /// <summary>Makes a frozen collection large for a command, step by step.</summary>
    /// <param name="set">The command's set, which waits for it.</param>
    /// <param name="worker">Its worker, which makes the steps unless somebody waits for the same.</param>
    /// <param name="hash">The hash of the key.</param>
    /// <param name="frozen">The record as it was just looked up.</param>
    /// <param name="read">The read that brought it; null where it is in memory.</param>
    /// <returns>False when the set waits for it already, since the command names it more than once.</returns>
    public bool TryThaw(ColdReadSet set, TierWorker worker, ulong hash, in Record frozen, ColdRead? read)
    {
        var place = (frozen.Address, GenerationOf(frozen.Address));
        if (_thaws.TryGetValue(place, out var thaw))
        {
            return thaw.TryJoin(set);
        }

        thaw = new CollectionThaw(_store, this, hash, place, frozen.Type, read);
        _ = thaw.TryJoin(set);
        _thaws.Add(place, thaw);
        worker.Add(thaw);
        return true;
    }

    /// <summary>Pages can be written again.</summary>
    public void OnFreezeEnded() => Volatile.Write(ref _hasEnded, true);

    public void OnThawEnded(CollectionThaw thaw) => _thaws.Remove(thaw.Place);

    /// <summary>Lets go of a page that is on the device, too.</summary>
    public void Drop(int page)
    {
        _store.Changes.Unsaved?.BeforeDrop(page);
        Pages.Drop(page);
    }

    /// <summary>How often the number of an address's page was used before.</summary>
    public long GenerationOf(ulong address) => Pages.GenerationOf(_store.Log.PageOf(address));

    /// <summary>Whether the index points to a record that was read from the device, and its page is still the one
    /// it was read from.</summary>
    public bool IsCurrent(in Record record, long generation)
        => GenerationOf(record.Address) == generation && _store.FindSlot(record.ComputeHash(), record.Address) != null;

    /// <summary>Moves a record that was read from the device back into memory, if it was read before since it left
    /// and there is room. Of a large one what was read is anything afterwards.</summary>
    public bool TryCopyToTail(in Record record, long generation)
    {
        var slot = _store.FindSlot(record.ComputeHash(), record.Address);
        return slot != null && IndexEntry.Frequency(*slot) >= ReadAgain && GenerationOf(record.Address) == generation
            && _store.TryMoveBack(slot, record, PageKind.Main, frequency: 0);
    }

    /// <summary>Deals with the requests that have ended.</summary>
    public void Harvest(int worker, long nowMs)
    {
        if (!HasEnded || worker == Quiescence.Nobody)
        {
            return;
        }

        // A full fence: a request that ends after it was looked at below sets the flag after it was cleared here.
        _ = Interlocked.Exchange(ref _hasEnded, false);
        for (var i = _writes.Count - 1; i >= 0; i--)
        {
            var write = _writes[i];
            if (write.IsEnded)
            {
                _writes.RemoveAt(i);
                End(write);
            }
        }

        if (_tier.Worker(worker) is { } own)
        {
            _sweep.Continue(own, nowMs);
        }
    }

    /// <summary>A request of the shard has ended, on the thread of <paramref name="worker"/> and without the lease: has
    /// the shard deal with it here and now if its lease is free, else after it was given back.</summary>
    public void OnEnded(TierWorker worker)
    {
        Volatile.Write(ref _hasEnded, true);
        if (_store.Lease.TryAcquire())
        {
            _store.Release(worker.Number, worker.NowMs);
            _tier.NotifyRoom();
        }
        else if (worker.Worker != null)
        {
            _store.Lease.Queue(new EndedRequest(this, worker, worker.Worker));
        }
    }

    /// <summary>Lets reads be marked when memory is short enough that it matters which records are read, or when the
    /// eviction policy wants them.</summary>
    private void CountReads(bool isShort) => _store.Log.CountsReads = isShort || _store.Placement.CountsReads;

    /// <summary>While the last write has failed: finds out by another whether the device works again. Where no shard
    /// has anything to write nobody can, and it may as well: what is short of memory then is so because of what others
    /// hold.</summary>
    private void Retry(int worker, long nowMs)
    {
        if (_tier.Failure == 0)
        {
            Volatile.Write(ref _hasNothingToWrite, false);
            return;
        }

        Write(worker, nowMs);
        var isIdle = _writes.Count == 0 && !_freeze.IsUnderWay && !_rescue.HasFrozen;
        Volatile.Write(ref _hasNothingToWrite, isIdle);
        if (isIdle)
        {
            _tier.ForgetFailureOfNothing();
        }
    }

    private void PushOut(int worker, long nowMs)
    {
        CountReads(true);
        while (TryDrop())
        {
            // Each is one page.
        }

        Write(worker, nowMs);
    }

    private void End(PageWrite write)
    {
        var page = write.Image.Page;
        if (write.Error == 0)
        {
            WrittenPages++;
            WrittenBytes += write.Image.DeviceBytes;
            Pages.EndWrite(page);
        }
        else
        {
            _store.Log.FailWrite(page);
        }

        _idleWrites.Push(write);
    }

    private bool TryDrop()
    {
        var page = Pages.OldestClean;
        if (page < 0)
        {
            return false;
        }

        Drop(page);
        return true;
    }

    /// <summary>Begins to write pages until enough memory is on its way to be free.</summary>
    private void Write(int worker, long nowMs)
    {
        _rescue.Begin();
        var own = _tier.Worker(worker);
        if (own == null || _freeze.IsUnderWay || (_tier.Failure != 0 && !_mayRetry))
        {
            return;
        }

        // Also where enough is on the device, or others hold the memory: else nobody finds out that it works again.
        var target = _tier.IsEager || _tier.Failure != 0
            ? long.MaxValue
            : Math.Max(_share.Bytes / ReserveShare, _store.Log.PageBytes);
        while (_idleWrites.Count > 0 && Pages.WritingBytes + Pages.CleanBytes < target)
        {
            var page = ChoosePage();
            if (page < 0)
            {
                return;
            }

            _store.ForgetPosition(page);
            var result = _rescue.Run(own, page, nowMs);
            if (result == RescueResult.Later)
            {
                _mayRetry &= !_freeze.IsUnderWay; // Which finds out whether the device takes some again.
                return;
            }

            if (result == RescueResult.ToWrite)
            {
                Begin(own, page);
                if (_tier.Failure != 0)
                {
                    _mayRetry = false;
                    return; // One write finds out whether the device takes some again.
                }
            }
        }
    }

    private void Begin(TierWorker worker, int page)
    {
        var log = _store.Log;
        var isLarge = log.Pages[page].IsJumbo;
        var write = _idleWrites.Pop();
        _writes.Add(write);
        _tier.OnWriteStarted();
        Volatile.Write(ref _hasNothingToWrite, false);
        var image = log.BeginWrite(page);
        if (isLarge)
        {
            long offset = 0;
            _ = log.TryWalk(page, ref offset, out var record);
            Pages.NoteHead(page, RecordChecksum.OfHead(record, image.Generation));
            write.BeginLarge(worker, image, log.StartOf(page), record);
        }
        else
        {
            write.Begin(worker, image, log.StartOf(page), log);
        }
    }

    /// <summary>The oldest page: of new records first, of proven ones when those are too many; one that is still open
    /// only when there is no other.</summary>
    private int ChoosePage()
    {
        var log = _store.Log;
        var probation = log.Queue(PageKind.Probation);
        var main = log.Queue(PageKind.Main);
        var takesMain = main.FrameBytes > probation.FrameBytes;
        var first = takesMain ? main.Oldest : probation.Oldest;
        var second = takesMain ? probation.Oldest : main.Oldest;
        return first >= 0 && !log.Pages[first].IsOpen ? first
            : second >= 0 && !log.Pages[second].IsOpen ? second
            : first >= 0 ? first
            : second;
    }

    private void RemoveSegments(int worker)
    {
        while (Segments.TryTakeRetired(worker, out var segment))
        {
            for (var i = 0; i < segment.Span; i++)
            {
                _tier.Device.RemoveSegment(Segments.DeviceNumber(segment, i));
            }

            Segments.Recycle(segment);
        }
    }

    /// <summary>Left in the queue of a taken lease; it returns to its worker when the lease is given back.</summary>
    private sealed class EndedRequest(ShardTier tier, TierWorker worker, Runtime.Worker owner) : ShardWork
    {
        /// <inheritdoc/>
        public override Runtime.Worker Owner => owner;

        /// <inheritdoc/>
        public override void Execute()
        {
            // Being taken from the queue is the notice.
        }

        /// <inheritdoc/>
        public override void Run(Runtime.Worker _) => tier.OnEnded(worker);
    }
}
