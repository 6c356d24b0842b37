using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Storage.Snapshot;

/// <summary>
/// The pages of a shard that a checkpoint names: those that were whole on the device at its moment, and those that have
/// left memory since with keys of the moment that were not saved. Their keys are saved as entries of the index; nothing
/// is read from the device. Used under the shard's lease.
/// </summary>
internal sealed class CheckpointPages
{
    private readonly Shard _shard;
    private readonly ICheckpointSink _sink;
    private readonly long _checkpoint;
    private readonly DevicePages _device;
    private readonly KeptPage[] _ofMoment;
    // Of each page number the generation that is named, plus one; 0 for none.
    private long[] _named;
    private int _next;
    private MemoryCharge _charge;

    /// <summary>Notes the pages that are on the device at this moment, for which all leases are held.</summary>
    public CheckpointPages(Shard shard, ICheckpointSink sink, long checkpoint)
    {
        _shard = shard;
        _sink = sink;
        _checkpoint = checkpoint;
        _device = shard.Log.Device!;
        _named = new long[shard.Log.PageTop];
        var count = _device.ColdPages + shard.Log.Queue(PageKind.Clean).Count;
        _ofMoment = new KeptPage[count];
        var found = 0;
        for (var page = 1; found < count && page < shard.Log.PageTop; page++)
        {
            if (shard.Log.Pages[page].Kind >= PageKind.Clean)
            {
                _ofMoment[found++] = _device.Describe(page);
                Name(page);
            }
        }

        Invariant.Check(found == count, "pages on the device are counted");
        _charge = new MemoryCharge(shard.Budget);
        Charge();
    }

    /// <summary>Gives the sink the pages of the moment, some at a time.</summary>
    /// <returns>Whether there are more.</returns>
    public bool WriteSome()
    {
        var end = Math.Min(_ofMoment.Length, _next + Limits.PagesPerCheckpointStep);
        for (; _next < end; _next++)
        {
            _sink.WritePage(_ofMoment[_next]);
        }

        return _next < _ofMoment.Length;
    }

    /// <summary>Whether a record's page is named: its key is saved as an entry.</summary>
    public bool Has(ulong address)
    {
        var page = _shard.Log.PageOf(address);
        return page < _named.Length && _named[page] == _device.GenerationOf(page) + 1;
    }

    /// <summary>A page is about to leave memory: names it if it has keys that are not saved.</summary>
    public void OnDrop(int page, ShardSnapshot snapshot)
    {
        if (page < _named.Length && _named[page] != 0)
        {
            if (_named[page] != _device.GenerationOf(page) + 1)
            {
                SaveAll(page, snapshot); // Another page of this number is named, and is gone since.
            }

            return;
        }

        long live = 0;
        var expiring = 0;
        var earliest = long.MaxValue;
        for (long offset = 0; _shard.Log.TryWalk(page, ref offset, out var record);)
        {
            if (!record.IsDead && snapshot.IsUnsaved(record))
            {
                live += record.LiveBytes;
                expiring += record.HasExpiry ? 1 : 0;
                earliest = record.HasExpiry ? Math.Min(earliest, record.ExpiryMs) : earliest;
            }
        }

        if (live > 0)
        {
            Name(page);
            Charge();
            _sink.WritePage(_device.Describe(page) with
            {
                LiveBytes = live,
                ExpiringRecords = expiring,
                EarliestExpiryMs = earliest,
            });
        }
    }

    private void SaveAll(int page, ShardSnapshot snapshot)
    {
        for (long offset = 0; _shard.Log.TryWalk(page, ref offset, out var record);)
        {
            if (!record.IsDead)
            {
                snapshot.PassUnitOf(record.ComputeHash());
            }
        }
    }

    /// <summary>It is needed no more.</summary>
    public void Free() => _charge.Set(0);

    private void Name(int page)
    {
        if (page >= _named.Length)
        {
            Array.Resize(ref _named, Math.Max(page + 1, _named.Length * 2));
        }

        _named[page] = _device.GenerationOf(page) + 1;
        _shard.Tier!.Holds.Hold(_checkpoint, _device.Segments.Of(_device.Locate(page).Offset)!);
    }

    private unsafe void Charge()
        => _charge.Set((_named.Length * (long)sizeof(long)) + (_ofMoment.Length * (long)sizeof(KeptPage)));
}
