using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Sharding;

/// <summary>
/// The lru and lfu policies: page by page, oldest first, out of two queues. New records enter a small one; those read
/// again, or set again soon after they were evicted, go to the main one, whose records are given further rounds while
/// they are read (S3-FIFO; Yang et al., SOSP '23).
/// A page always gives up a sixteenth, of the least read, so that a step frees memory even when all is in use.
/// </summary>
internal sealed unsafe class QueueEviction : IDisposable
{
    // The small queue's share of the pages. The paper's tenth costs 0.4 points of hits on Zipf 0.99: what a longer stay
    // there would tell of a key, the ghosts tell in less memory.
    public const int ProbationShare = 64;

    // Keys remembered to keys held. As many as held, the paper's number, costs 0.3 points where scans are mixed in.
    private const int GhostsPerFiveKeys = 8;

    // An eighth costs 0.1 points of hits; less would cost time where all is read between two rounds.
    private const int LeastShareFreed = 16;

    private readonly Shard _shard;
    private readonly Compactor _compactor;
    private readonly GhostQueue _ghosts;
    private readonly PageScan _scan = new();
    private uint _coin = 1;
    private int _requeued;

    public QueueEviction(Shard shard, MemoryBudget budget, Compactor compactor)
    {
        _shard = shard;
        _compactor = compactor;
        _ghosts = new GhostQueue(budget);
    }

    public long GhostBytes => _ghosts.SizeBytes;

    /// <summary>Whether the key was evicted not long ago; asking forgets it.</summary>
    public bool WasEvicted(ulong hash) => _ghosts.TryTake(hash);

    /// <summary>Takes one page out of use, keeping what deserves it.</summary>
    public void Step(bool isVolatile, bool isLfu, long nowMs)
    {
        var page = ChoosePage(isVolatile);
        if (isVolatile && _shard.Log.Pages[page].ExpiringRecords == 0)
        {
            _shard.Log.Requeue(page, PageKind.Pinned);
            return;
        }

        _ghosts.Fit(_shard.Index.Count * GhostsPerFiveKeys / 5);
        _compactor.Forget(page);
        _shard.Log.Seal(page);
        long offset = 0;
        _ = _scan.Read(_shard, page, ref offset);
        if (_shard.Log.Pages[page].IsJumbo)
        {
            JudgeLarge(page, isLfu, nowMs);
            return;
        }

        Judge(page, isVolatile, isLfu, nowMs);
        _shard.Log.RetirePage(page);
    }

    public void Reset() => _ghosts.Clear();

    /// <inheritdoc/>
    public void Dispose() => _ghosts.Dispose();

    private int ChoosePage(bool isVolatile)
    {
        var log = _shard.Log;
        var probation = log.Queue(PageKind.Probation);
        var main = log.Queue(PageKind.Main);
        var pinned = log.Queue(PageKind.Pinned);
        if (!isVolatile && pinned.Count > 0)
        {
            return pinned.Oldest; // An earlier policy kept it out of all queues.
        }

        // The newest page of a queue is spared as long as the other queue has more than its newest.
        var ordinaryMain = Math.Max(0, main.FrameBytes - log.HugeBytes);
        var isSmallFull = probation.FrameBytes * ProbationShare > probation.FrameBytes + ordinaryMain;
        var takesProbation = isSmallFull ? probation.Count > 1 || main.Count == 0 : main.Count == 0;
        takesProbation |= main.Count == 1 && probation.Count > 1;
        return takesProbation ? probation.Oldest : main.Oldest;
    }

    private void Judge(int page, bool isVolatile, bool isLfu, long nowMs)
    {
        var log = _shard.Log;
        var kind = log.Pages[page].Kind;
        var (threshold, quotaBytes) = LeastFreed(isVolatile);
        foreach (ref readonly var scanned in _scan.Records)
        {
            var record = log.Open(scanned.Address);
            var slot = _shard.FindSlot(scanned.Hash, scanned.Address);
            if (Evictor.TryExempt(_shard, scanned, slot, record, isVolatile, nowMs))
            {
                continue;
            }

            if (_shard.Collections.Huge.Contains(record))
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
                _shard.Relocate(slot, record, PageKind.Main, Aged(scanned.Frequency, kind, isLfu));
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
            _shard.Relocate(slot, record, PageKind.Main, frequency);
        }
    }

    /// <summary>Whether all pages were gone over, and nothing was given up, though readers keep marking all of it.
    /// </summary>
    private bool IsStuck() => ++_requeued > _shard.Log.PageCount;

    /// <summary>A page of one record changes its queue as it is. Once round without success, even if readers keep
    /// marking all of them, one goes.</summary>
    private void JudgeLarge(int page, bool isLfu, long nowMs)
    {
        ref readonly var scanned = ref _scan.Records[0];
        var kind = _shard.Log.Pages[page].Kind;
        var record = _shard.Log.Open(scanned.Address);
        var slot = _shard.FindSlot(scanned.Hash, scanned.Address);
        if (record.IsExpired(nowMs))
        {
            _shard.Expire(scanned.Hash, slot, record);
        }
        else if (scanned.Frequency == 0 || IsStuck())
        {
            _requeued = 0;
            Evict(scanned.Hash, slot, record, kind);
        }
        else
        {
            Volatile.Write(ref *slot, IndexEntry.WithFrequency(*slot, Aged(scanned.Frequency, kind, isLfu)));
            _shard.Log.Requeue(page, PageKind.Main);
        }
    }

    private void Evict(ulong hash, ulong* slot, in Record record, PageKind kind)
    {
        if (kind == PageKind.Probation)
        {
            _ghosts.Add(hash);
        }

        _shard.Evict(hash, slot, record);
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
            var record = _shard.Log.Open(scanned.Address);
            _shard.Collections.Huge.Note(record);
            if ((!isVolatile || record.HasExpiry) && !_shard.Collections.Huge.Contains(record))
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

    /// <summary>The frequency a record keeps that proves itself anew after each round.</summary>
    public static int AgedByRound(int frequency, PageKind kind) => kind == PageKind.Probation ? 0 : frequency - 1;

    /// <summary>The frequency a record keeps for its next round. Under lru a record proves itself anew after each round
    /// in the main queue; under lfu what was read often stays longer.</summary>
    private int Aged(int frequency, PageKind kind, bool isLfu)
    {
        if (!isLfu)
        {
            return AgedByRound(frequency, kind);
        }

        _coin = (_coin >> 1) ^ ((_coin & 1) * 0xEDB88320);
        return (_coin & 1) == 0 ? frequency : frequency - 1;
    }
}
