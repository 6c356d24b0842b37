using Strata.Storage.Log;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Storage.Snapshot;

/// <summary>
/// The part of a snapshot that is on the device alone: pages are read in the order in which they lie there, some at a
/// time, and what belongs to the snapshot is saved. Of a page that was there at the moment that is what the index
/// points to, and what it has pointed to since; of one that has left memory since, what was not saved by then. Records
/// are believed only if their checksums are right. Used under the shard's lease.
/// </summary>
internal sealed unsafe class SnapshotPages
{
    private readonly ShardSnapshot _owner;
    private readonly Shard _shard;
    private readonly DevicePages _device;
    private readonly Queue<ColdPage> _waiting;
    private readonly Dictionary<(int Page, long Generation), ColdPage> _unread = [];
    private readonly Queue<(ColdPage Page, PageLoad Load)> _reading = new();

    /// <summary>Bytes of the page that is to be read next, if there was no memory for it; else 0.</summary>
    public long WantedBytes { get; private set; }

    /// <summary>Takes up the pages that are on the device alone at this moment.</summary>
    public SnapshotPages(ShardSnapshot owner, Shard shard)
    {
        _owner = owner;
        _shard = shard;
        _device = shard.Log.Device!;
        List<ColdPage> pages = [];
        for (var page = 1; _device.ColdPages > pages.Count && page < shard.Log.PageTop; page++)
        {
            if (shard.Log.Pages[page].Kind == PageKind.Cold)
            {
                pages.Add(Retain(page, isLate: false));
            }
        }

        pages.Sort(static (a, b) => a.Image.Offset.CompareTo(b.Image.Offset));
        _waiting = new Queue<ColdPage>(pages);
    }

    /// <summary>Notes a record, which the index is about to point to no more, if it is on the device alone.</summary>
    /// <returns>Whether it is.</returns>
    public bool NoteIfCold(in Record record)
    {
        if (!_shard.Log.IsCold(record.Address))
        {
            return false;
        }

        var page = _shard.Log.PageOf(record.Address);
        if (_unread.TryGetValue((page, _device.GenerationOf(page)), out var unread) && !unread.IsLate)
        {
            unread.Note(record.Address);
        }

        return true;
    }

    /// <summary>A page is about to leave memory: notes what of it is not saved.</summary>
    public void OnDrop(int page, ShardSnapshot snapshot)
    {
        ColdPage? late = null;
        for (long offset = 0; _shard.Log.TryWalk(page, ref offset, out var record);)
        {
            if (!record.IsDead && snapshot.IsUnsaved(record))
            {
                late ??= Retain(page, isLate: true);
                late.Note(record.Address);
            }
        }

        if (late != null)
        {
            _waiting.Enqueue(late);
        }
    }

    /// <summary>Goes on: saves what was read, and reads more.</summary>
    public StepResult Step(TierWorker? tier, in Deadline deadline, ISnapshotSink sink)
    {
        while (_reading.TryPeek(out var first) && first.Load.HasEnded)
        {
            if (sink.IsFull)
            {
                return StepResult.Waits;
            }

            _ = _reading.Dequeue();
            if (!TrySave(first.Page, first.Load))
            {
                return StepResult.Waits;
            }

            Read(tier);
            if (deadline.HasPassed)
            {
                return StepResult.More;
            }
        }

        if (!sink.IsFull)
        {
            Read(tier);
        }

        return _reading.Count == 0 && _waiting.Count == 0 ? StepResult.Done : StepResult.Waits;
    }

    /// <summary>Gives back what it holds.</summary>
    /// <returns>False when reads are under way.</returns>
    public bool TryEnd()
    {
        while (_waiting.TryDequeue(out var page))
        {
            page.Segment.Release();
        }

        while (_reading.TryPeek(out var first) && first.Load.HasEnded)
        {
            _ = _reading.Dequeue();
            first.Load.Clear();
            first.Page.Segment.Release();
        }

        _unread.Clear();
        return _reading.Count == 0;
    }

    private ColdPage Retain(int page, bool isLate)
    {
        var image = _device.Locate(page);
        var segment = _device.Segments.Of(image.Offset)!;
        segment.Retain();
        var retained = new ColdPage(image, segment, isLate);
        _unread.Add((page, image.Generation), retained);
        return retained;
    }

    private void Read(TierWorker? tier)
    {
        WantedBytes = 0;
        while (tier != null && _reading.Count < Limits.SnapshotReads && _waiting.TryPeek(out var page))
        {
            var load = new PageLoad(_shard.Tier!);
            if (!load.TryBegin(tier, page.Image, page.Segment))
            {
                WantedBytes = page.Image.DeviceBytes;
                return; // There is no memory for it now.
            }

            _reading.Enqueue((_waiting.Dequeue(), load));
        }
    }

    /// <summary>Saves what of a page belongs to the snapshot.</summary>
    /// <returns>False when the snapshot has failed.</returns>
    private bool TrySave(ColdPage page, PageLoad load)
    {
        _ = _unread.Remove((page.Image.Page, page.Image.Generation));
        page.Segment.Release();
        var isKept = false;
        try
        {
            if (load.Error != 0)
            {
                _owner.Fail(new SnapshotFailure($"data cannot be read back from the disk (errno {load.Error})"));
                return false;
            }

            page.Sort();
            return TrySaveRecords(page, load, out isKept);
        }
        finally
        {
            if (!isKept)
            {
                load.Clear();
            }
        }
    }

    private bool TrySaveRecords(ColdPage page, PageLoad load, out bool isKept)
    {
        isKept = false;
        var image = page.Image;
        for (long offset = RecordLog.FirstOffset; ;)
        {
            Record.SkipFiller(load.Start, image.UsedBytes, ref offset);
            if (offset >= image.UsedBytes)
            {
                return true;
            }

            var address = _shard.Log.AddressOf(image.Page, offset);
            if (!Record.TryParse(load.Start + offset, image.UsedBytes - offset, address, out var record)
                || !RecordChecksum.IsRight(record, image.Generation))
            {
                _owner.Fail(new SnapshotFailure("data that was read back from the disk is damaged"));
                return false;
            }

            offset += record.SizeBytes;
            if (!IsWanted(page, record) || !_owner.IsOfMoment(record))
            {
                continue;
            }

            if (_owner.IsLong(record) && offset >= image.UsedBytes)
            {
                _owner.SaveInSteps(record, load);
                isKept = true;
                return true;
            }

            _owner.Save(record);
        }
    }

    private bool IsWanted(ColdPage page, in Record record)
        => page.IsNoted(record.Address)
            || (!page.IsLate && _device.GenerationOf(page.Image.Page) == page.Image.Generation
                && _shard.FindSlot(record.ComputeHash(), record.Address) != null);
}
