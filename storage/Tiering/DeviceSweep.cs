using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Tiering;

/// <summary>
/// Reads pages back from the device, one at a time, to delete what has expired and to empty segments that are mostly
/// garbage: their live records go to the young end of the log. Used under the shard's lease.
/// </summary>
internal sealed unsafe class DeviceSweep
{
    private const int MaxExpiring = 64;

    private readonly TieredStore _store;
    private readonly ShardTier _tier;
    private readonly MemoryBudget _budget;
    private readonly PageLoad _load;
    private readonly Queue<PageImage> _expiring = new(MaxExpiring);
    private readonly ExpiryHistogram _histogram = new();
    private LogSegment? _victim;
    private bool _isCompacting;
    private bool _isLoading;

    public DeviceSweep(TieredStore store, ShardTier tier, MemoryBudget budget)
    {
        _store = store;
        _tier = tier;
        _budget = budget;
        _load = new PageLoad(tier);
    }

    /// <summary>Pages gone over.</summary>
    public long Pages { get; private set; }

    /// <summary>Asks for the expired records of a cold page to be deleted.</summary>
    /// <returns>False when others must be gone over first.</returns>
    public bool TryExpire(int page)
    {
        if (_expiring.Count == MaxExpiring)
        {
            return false;
        }

        _expiring.Enqueue(_store.Log.Device!.Locate(page));
        return true;
    }

    /// <summary>Begins with the next page, unless one is under way.</summary>
    public void Run(TierWorker worker, long nowMs)
    {
        while (!_isLoading && TryChoose(out var image, out var segment))
        {
            if (_store.Log.Pages[image.Page].Kind == PageKind.Clean)
            {
                if (!TryGoOver(image, _store.Log.StartOf(image.Page), nowMs))
                {
                    return;
                }
            }
            else if (_load.TryBegin(worker, image, segment))
            {
                _isLoading = true;
            }
            else
            {
                Postpone(image, nowMs);
                return;
            }
        }
    }

    /// <summary>Goes over the page that was read, if it has ended, and on to the next.</summary>
    public void Continue(TierWorker worker, long nowMs)
    {
        if (!_isLoading || !_load.HasEnded)
        {
            return;
        }

        _isLoading = false;
        var hasRoom = true;
        if (_load.Error == 0)
        {
            hasRoom = TryGoOver(_load.Image, _load.Start, nowMs);
        }
        else
        {
            OnUnreadable(_load.Image, nowMs);
        }

        _load.Clear();
        if (hasRoom)
        {
            Run(worker, nowMs);
        }
    }

    /// <summary>The shard was emptied.</summary>
    public void Reset()
    {
        _expiring.Clear();
        _victim = null;
    }

    private bool TryChoose(out PageImage image, out LogSegment segment)
    {
        var device = _store.Log.Device!;
        while (_expiring.TryDequeue(out image))
        {
            if (device.GenerationOf(image.Page) == image.Generation)
            {
                _isCompacting = false;
                segment = device.Segments.Of(image.Offset)!;
                return true;
            }
        }

        segment = null!;
        if (_victim is not { PageCount: > 0 })
        {
            _victim = _budget.IsOver ? null : device.Segments.Worst(_tier.Tier.CompactionGarbagePercent);
        }

        if (_victim == null || _budget.IsOver)
        {
            return false;
        }

        _isCompacting = true;
        segment = _victim;
        image = device.Locate(_victim.FirstPage);
        if (_store.Log.Pages[image.Page].Kind == PageKind.Writing)
        {
            _victim = null; // Its turn comes when it is written.
            return false;
        }

        return true;
    }

    /// <summary>Goes over the records of a page's bytes.</summary>
    /// <returns>False when memory has no room for what lives in a segment: its turn comes with a later cycle.</returns>
    private bool TryGoOver(in PageImage image, byte* start, long nowMs)
    {
        Pages++;
        var device = _store.Log.Device!;
        var earliest = long.MaxValue;
        var isDamaged = false;
        _histogram.Clear();
        var walked = 0;
        for (long offset = RecordLog.FirstOffset; device.GenerationOf(image.Page) == image.Generation;)
        {
            Record.SkipFiller(start, image.UsedBytes, ref offset);
            if (offset >= image.UsedBytes)
            {
                break;
            }

            var address = _store.Log.AddressOf(image.Page, offset);
            if (!Record.TryParse(start + offset, image.UsedBytes - offset, address, out var record)
                || !RecordChecksum.IsRight(record, image.Generation))
            {
                isDamaged = true;
                break; // Where the next record begins is not to be known.
            }

            offset += record.SizeBytes;
            walked++;
            var hash = record.ComputeHash();
            var slot = _store.FindSlot(hash, address);
            if (slot == null)
            {
                continue;
            }

            _store.Changes.TellMet(record.KeyWith(hash), record);
            if (_store.ExpiryHold.IsDue(record, nowMs))
            {
                _store.Expire(hash, slot, record);
            }
            else if (_isCompacting)
            {
                if (!TryRelocate(slot, record, isLoaded: start == _load.Start))
                {
                    _victim = null;
                    return false;
                }

                _store.Statistics.CompactedBytes += record.LiveBytes;
            }
            else if (record.HasExpiry)
            {
                earliest = Math.Min(earliest, record.ExpiryMs);
                _histogram.Add(record.ExpiryMs - nowMs);
            }
        }

        _store.Statistics.ExpiryWalkedRecords += _isCompacting ? 0 : walked;
        if (isDamaged)
        {
            OnUnreadable(image, nowMs);
        }
        else if (device.GenerationOf(image.Page) == image.Generation)
        {
            ref var info = ref _store.Log.Pages[image.Page];
            info.EarliestExpiryMs = earliest;
            info.ExpiryDueMs = _histogram.DueMs(nowMs, walked);
        }

        return true;
    }

    private bool TryRelocate(ulong* slot, in Record record, bool isLoaded)
        => isLoaded
            ? _store.TryMoveBack(slot, record, PageKind.Probation, IndexEntry.Frequency(*slot))
            : _store.TryRelocate(slot, record, PageKind.Probation, IndexEntry.Frequency(*slot));

    /// <summary>A segment with something in it that cannot be read is not compacted. Expired records that cannot be
    /// read wait until they can be, or are found expired.</summary>
    private void OnUnreadable(in PageImage image, long nowMs)
    {
        Postpone(image, nowMs);
        if (_isCompacting && _victim != null)
        {
            _victim.IsUnreadable = true;
            _victim = null;
        }
    }

    /// <summary>What expires in a page that could not be gone over is looked for again after a while.</summary>
    private void Postpone(in PageImage image, long nowMs)
    {
        ref var info = ref _store.Log.Pages[image.Page];
        if (_store.Log.Device!.GenerationOf(image.Page) == image.Generation && info.ExpiringRecords > 0)
        {
            info.EarliestExpiryMs = nowMs + Limits.ExpiryRetryMs;
            info.ExpiryDueMs = nowMs + Limits.ExpiryRetryMs;
        }
    }
}
