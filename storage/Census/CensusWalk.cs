using Strata.Storage.Collections;
using Strata.Storage.Index;

namespace Strata.Storage.Census;

/// <summary>A walk over a shard's index, in slices, for keys that the census does not know: those below a threshold, of
/// which the index itself tells, and, where that is asked for, large ones, for which every record is looked at. What is
/// on the device is counted, and read if that is asked for, a page at a time. Under the shard's lease.</summary>
internal sealed unsafe class CensusWalk
{
    private readonly CollectionStore _store;
    private readonly KeyCensus _census;
    private ulong _cursor;
    private long _readAtMs;
    private bool _waits;
    private int _tries;

    public CensusWalk(CollectionStore store, KeyCensus census)
    {
        _store = store;
        _census = census;
    }

    public bool IsUnderWay { get; private set; }

    /// <summary>Keys are looked for whose number is below; 0 while it is not under way.</summary>
    public uint Threshold { get; private set; }

    /// <summary>Whether large keys are looked for, too.</summary>
    public bool SearchesLargest { get; private set; }

    /// <summary>Whether pages are read for the names of keys on the device.</summary>
    public bool ReadsPages { get; private set; }

    /// <summary>Whether it is for more than keys in memory below the threshold.</summary>
    public bool Searches => IsUnderWay && (SearchesLargest || ReadsPages);

    /// <summary>Keys below the threshold that were met on the device and are not known.</summary>
    public long Unread { get; private set; }

    /// <summary>Begins.</summary>
    /// <param name="threshold">Keys are looked for whose number is below.</param>
    /// <param name="searchesLargest">Whether large keys are, too.</param>
    /// <param name="readsPages">Whether pages are read for the names of keys on the device.</param>
    public void Begin(uint threshold, bool searchesLargest, bool readsPages)
    {
        (IsUnderWay, Threshold, SearchesLargest, ReadsPages) = (true, threshold, searchesLargest, readsPages);
        (_cursor, Unread, _tries) = (0, 0, 0);
        if (searchesLargest)
        {
            _census.Largest.BeginSearch();
        }
    }

    /// <summary>It has come to its end.</summary>
    public void End()
    {
        if (SearchesLargest)
        {
            _census.Largest.EndSearch();
        }

        Stop();
    }

    /// <summary>It is given up.</summary>
    public void Stop() => (IsUnderWay, Threshold) = (false, 0);

    /// <summary>Fewer keys are looked for.</summary>
    /// <param name="threshold">A threshold, half as high as the one before if that was higher.</param>
    public void LowerTo(uint threshold)
    {
        if (Threshold > threshold)
        {
            (Threshold, Unread) = (threshold, Unread / 2);
        }
    }

    /// <summary>A key that was not known is, or has gone.</summary>
    public void OnFound() => Unread = Math.Max(0, Unread - 1);

    /// <summary>Goes on.</summary>
    /// <param name="buckets">How many buckets it enters.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    /// <returns>Whether it has come to its end.</returns>
    public bool Step(int buckets, long nowMs)
    {
        for (; buckets > 0; buckets--)
        {
            var (cursor, unread) = (_cursor, Unread);
            _waits = false;
            Enter(nowMs);
            if (_waits && ++_tries <= CensusLimits.PageTries)
            {
                (_cursor, Unread) = (cursor, unread); // Once more, when the next page may be read.
                return false;
            }

            _tries = 0;
            if (_cursor == 0)
            {
                return true;
            }
        }

        return false;
    }

    private void Enter(long nowMs)
    {
        _cursor = _store.Index.NextCursor(_cursor, out var number);
        for (var bucket = _store.Index.Bucket(number); bucket != null; bucket = _store.Index.Next(bucket))
        {
            for (var i = 0; i < HashIndex.EntriesPerBucket && bucket[i] != 0; i++)
            {
                var keyNumber = IndexEntry.BucketHash(bucket[i], number);
                if (SearchesLargest || keyNumber < Threshold)
                {
                    Meet(IndexEntry.Address(bucket[i]), keyNumber, nowMs);
                }
            }
        }
    }

    private void Meet(ulong address, uint number, long nowMs)
    {
        if (_store.Log.IsCold(address))
        {
            MeetCold(address, number, nowMs);
            return;
        }

        var record = _store.Log.Open(address);
        if (number < Threshold)
        {
            _census.OnMet(record);
        }

        if (SearchesLargest && ShardCollections.UsageOf(record) is var bytes && bytes > _census.Largest.WantedAbove)
        {
            _census.Largest.Note(record.KeyWith(record.ComputeHash()), address, bytes);
        }
    }

    private void MeetCold(ulong address, uint number, long nowMs)
    {
        var page = _store.Log.PageOf(address);
        if (number < Threshold && !_census.Sample.Has(number, address))
        {
            Unread++;
            if (ReadsPages)
            {
                Read(page, nowMs);
            }
        }

        ref readonly var info = ref _store.Log.Pages[page];
        if (SearchesLargest && !_census.Largest.Keys.Has(number, address))
        {
            _census.Largest.Lose(info.IsJumbo ? info.LiveBytes : _store.Log.LargestShared);
        }
    }

    private void Read(int page, long nowMs)
    {
        if (Math.Abs(nowMs - _readAtMs) >= CensusLimits.PageReadMs && _census.ReadPage!(page))
        {
            _readAtMs = nowMs;
        }
        else
        {
            _waits = true;
        }
    }
}
