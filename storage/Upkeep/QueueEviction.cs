using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Upkeep;

/// <summary>
/// The lru and lfu policies: page by page, oldest first, out of two queues. New records enter a small one; those read
/// again, or set again soon after they were evicted, go to the main one, whose records are given further rounds while
/// they are read (S3-FIFO; Yang et al., SOSP '23). How small it is, the traffic decides (<see cref="QueueBalance"/>).
/// A page always gives up a sixteenth, of the least read, so that a step frees memory even when all is in use.
/// </summary>
internal sealed unsafe class QueueEviction
{
    // Keys remembered to keys held. As many as held, the paper's number, costs 0.3 points where scans are mixed in.
    private const int GhostsPerFiveKeys = 8;

    // An eighth costs 0.1 points of hits; less would cost time where all is read between two rounds.
    private const int LeastShareFreed = 16;

    private readonly CollectionStore _store;
    private readonly Compactor _compactor;
    private readonly PageScan _scan = new();
    private uint _coin = 1;
    private int _requeued;

    public QueueEviction(CollectionStore store, Compactor compactor)
    {
        _store = store;
        _compactor = compactor;
    }

    /// <summary>Takes one page out of use, keeping what deserves it.</summary>
    public void Step(bool isVolatile, bool isLfu, long nowMs)
    {
        var page = ChoosePage(isVolatile);
        if (isVolatile && _store.Log.Pages[page].ExpiringRecords == 0)
        {
            _store.Log.Requeue(page, PageKind.Pinned);
            return;
        }

        _store.Placement.Ghosts.Fit(_store.Index.Count * GhostsPerFiveKeys / 5);
        _compactor.Forget(page);
        _store.Log.Seal(page);
        long offset = 0;
        _ = _scan.Read(_store, page, ref offset);
        if (_store.Log.Pages[page].IsJumbo)
        {
            JudgeLarge(page, isLfu, nowMs);
            return;
        }

        Judge(page, isVolatile, isLfu, nowMs);
        Evictor.Leave(_store.Log, page);
    }

    private int ChoosePage(bool isVolatile)
    {
        var log = _store.Log;
        var probation = log.Queue(PageKind.Probation);
        var main = log.Queue(PageKind.Main);
        var pinned = log.Queue(PageKind.Pinned);
        if (!isVolatile && pinned.Count > 0)
        {
            return pinned.Oldest; // An earlier policy kept it out of all queues.
        }

        // The newest page of a queue is spared as long as the other queue has more than its newest.
        var ordinaryMain = Math.Max(0, main.FrameBytes - log.HugeBytes);
        var share = _store.Placement.Balance.Share;
        var isSmallFull = probation.FrameBytes > share * (probation.FrameBytes + ordinaryMain);
        var takesProbation = isSmallFull ? probation.Count > 1 || main.Count == 0 : main.Count == 0;
        takesProbation |= main.Count == 1 && probation.Count > 1;
        return takesProbation ? probation.Oldest : main.Oldest;
    }

    private void Judge(int page, bool isVolatile, bool isLfu, long nowMs)
    {
        var log = _store.Log;
        var kind = log.Pages[page].Kind;
        var (threshold, quotaBytes) = LeastFreed(isVolatile);
        foreach (ref readonly var scanned in _scan.Records)
        {
            var record = log.Open(scanned.Address);
            var slot = _store.FindSlot(scanned.Hash, scanned.Address);
            if (Evictor.TryExempt(_store, scanned, slot, record, isVolatile, nowMs))
            {
                continue;
            }

            if (_store.Collections.Huge.Contains(record))
            {
                JudgeHuge(scanned, slot, record, kind, isLfu);
            }
            else if (scanned.Frequency == 0 || scanned.Frequency < threshold
                || (scanned.Frequency == threshold && quotaBytes > 0))
            {
                quotaBytes -= ShardCollections.WeightOf(record);
                _requeued = 0;
                Evict(scanned.Hash, slot, record, kind);
            }
            else
            {
                Keep(scanned, slot, record, kind, Aged(scanned.Frequency, kind, isLfu));
            }
        }
    }

    /// <summary>A huge collection does not count for what its page gives up: it would be all of it, however much it is
    /// read. As a huge value, it is taken for read often at first.</summary>
    private void JudgeHuge(in ScannedRecord scanned, ulong* slot, in Record record, PageKind kind, bool isLfu)
    {
        var isNew = kind == PageKind.Probation;
        if ((scanned.Frequency == 0 && !isNew) || IsStuck())
        {
            _requeued = 0;
            Evict(scanned.Hash, slot, record, kind);
        }
        else
        {
            var frequency = isNew ? IndexEntry.MaxFrequency : Aged(scanned.Frequency, kind, isLfu);
            Keep(scanned, slot, record, kind, frequency);
        }
    }

    /// <summary>Gives a record another round, if there is room for it.</summary>
    private void Keep(in ScannedRecord scanned, ulong* slot, in Record record, PageKind kind, int frequency)
    {
        if (!_store.TryRelocate(slot, record, PageKind.Main, frequency))
        {
            Evict(scanned.Hash, slot, record, kind);
        }
    }

    /// <summary>Whether all pages were gone over, and nothing was given up, though readers keep marking all of it.
    /// </summary>
    private bool IsStuck() => ++_requeued > _store.Log.PageCount;

    /// <summary>A page of one record changes its queue as it is. Once round without success, even if readers keep
    /// marking all of them, one goes.</summary>
    private void JudgeLarge(int page, bool isLfu, long nowMs)
    {
        ref readonly var scanned = ref _scan.Records[0];
        var kind = _store.Log.Pages[page].Kind;
        var record = _store.Log.Open(scanned.Address);
        var slot = _store.FindSlot(scanned.Hash, scanned.Address);
        if (_store.ExpiryHold.IsDue(record, nowMs))
        {
            _store.Expire(scanned.Hash, slot, record);
        }
        else if (scanned.Frequency == 0 || IsStuck())
        {
            _requeued = 0;
            Evict(scanned.Hash, slot, record, kind);
        }
        else
        {
            Volatile.Write(ref *slot, IndexEntry.WithFrequency(*slot, Aged(scanned.Frequency, kind, isLfu)));
            _store.Log.Requeue(page, PageKind.Main);
        }
    }

    private void Evict(ulong hash, ulong* slot, in Record record, PageKind kind)
    {
        if (kind is PageKind.Probation or PageKind.Main)
        {
            _store.Placement.Ghosts.Add(hash, kind == PageKind.Main);
            _store.Placement.Balance.CountEvicted(kind == PageKind.Main, _store.Index.Count);
        }

        _store.Evict(hash, slot, record);
    }

    /// <summary>Up to which frequency records must go so that the page gives up its least share, and how many bytes of
    /// that share are to be had from those with less.</summary>
    private (int Frequency, long QuotaBytes) LeastFreed(bool isVolatile)
    {
        Span<long> bytes = stackalloc long[IndexEntry.MaxFrequency + 1];
        bytes.Clear();
        var total = 0L;
        foreach (ref readonly var scanned in _scan.Records)
        {
            var record = _store.Log.Open(scanned.Address);
            _store.Collections.Huge.Note(record);
            if ((!isVolatile || record.HasExpiry) && !_store.Collections.Huge.Contains(record))
            {
                var weight = ShardCollections.WeightOf(record);
                bytes[scanned.Frequency] += weight;
                total += weight;
            }
        }

        var quota = total / LeastShareFreed;
        var frequency = 0;
        for (; frequency < IndexEntry.MaxFrequency && bytes[frequency] < quota; frequency++)
        {
            quota -= bytes[frequency];
        }

        return (frequency, quota);
    }

    /// <summary>The frequency a record keeps for its next round. Under lru a record proves itself anew after each round
    /// in the main queue; under lfu what was read often stays longer.</summary>
    private int Aged(int frequency, PageKind kind, bool isLfu)
    {
        if (!isLfu)
        {
            return RecordPlacement.AgedByRound(frequency, kind);
        }

        _coin = (_coin >> 1) ^ ((_coin & 1) * 0xEDB88320);
        return (_coin & 1) == 0 ? frequency : frequency - 1;
    }
}
