using System.Numerics;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Census;

/// <summary>
/// What a shard knows of some of its keys by name: a sample of all, drawn by their hash (a key is in it if its number
/// is below a threshold, so that whoever adds up what they have in common knows how far that may be off), and the
/// largest. The threshold falls where the sample would become too large, and all go whose number is not below it any
/// more; where keys have gone, the index is walked for others.
/// That keys come and go the seam of change tells, for a part of all (<see cref="CensusLimits.SeamPart"/>); where more
/// are drawn, because there are few, the index is walked each few seconds. What a key takes, and whether it is on the
/// device, is looked up in turn: the data path does not pay for it, nor does anybody read the device.
/// Changed under the shard's lease; any thread may copy it, which makes nobody wait.
/// </summary>
public sealed class KeyCensus : IKeyCensus
{
    private const uint SeamMost = KeyHash.Numbers / CensusLimits.SeamPart;

    private readonly CollectionStore _store;
    private readonly CensusTable _sample;
    private readonly LargestKeys _largest;
    private readonly CensusWalk _walk;
    private readonly KeyLookup _lookup;
    private int _nextSampled;
    private int _nextLargest;
    private long _lookedAtMs;
    private long _searchedAtMs;
    private long _readAtMs;
    private bool _isUnknown;
    private bool _isCountDue;

    // How many keys there were when all were seen last.
    private long _keysSeen;

    /// <summary>Nothing is known yet, and nothing is there.</summary>
    /// <param name="store">The shard.</param>
    /// <param name="shards">How many there are.</param>
    internal KeyCensus(CollectionStore store, int shards)
    {
        _store = store;
        _sample = new CensusTable(CensusLimits.SampledKeysOf(shards));
        _largest = new LargestKeys(CensusLimits.LargestKeysOf(shards));
        _walk = new CensusWalk(store, this);
        _lookup = new KeyLookup(store);
        store.Changes.Census = this;
        TellSeam();
    }

    /// <summary>Has a page be read from the device for its keys (<see cref="ShardChanges.TellMet"/>), if that can be
    /// now; null where there is none.</summary>
    internal Func<int, bool>? ReadPage { get; set; }

    /// <summary>Keys are in the sample whose number is below.</summary>
    internal uint Threshold { get; private set; } = KeyHash.Numbers;

    /// <summary>Keys that should be in the sample, and are not: they are on the device, and were there before the
    /// start.</summary>
    internal long Unread { get; private set; }

    /// <summary>The keys that were drawn.</summary>
    internal CensusTable Sample => _sample;

    /// <summary>The largest keys.</summary>
    internal LargestKeys Largest => _largest;

    /// <summary>Bytes that the largest key takes; 0 where none is large. Any thread.</summary>
    public long LargestBytes => _largest.MostBytes;

    private uint WantedBelow => Math.Max(Threshold, _walk.Threshold);

    /// <summary>Memory for it where there are so many shards, bytes, about: the program's own, which is there from the
    /// start and never more.</summary>
    public static long BytesFor(int shards)
        => shards * (CensusTable.BytesFor(CensusLimits.SampledKeysOf(shards))
            + CensusTable.BytesFor(CensusLimits.LargestKeysOf(shards)));

    /// <inheritdoc/>
    void IKeyCensus.Note(in Key key, in Record record, bool isNew)
    {
        if (record.IsNull)
        {
            Forget(key.Hash, isNew);
        }
        else
        {
            var bytes = ShardCollections.UsageOf(record);
            if (KeyHash.NumberOf(key.Hash) < WantedBelow)
            {
                NoteDrawn(key, record.Address, bytes, isNew);
            }

            _largest.Note(key, record.Address, bytes);
        }

        TellSeam();
    }

    /// <inheritdoc/>
    void IKeyCensus.Clear(int database)
    {
        if (database == ShardChanges.AllDatabases || _store.Index.Count == 0)
        {
            _sample.Clear();
            _largest.Clear();
            _walk.Stop();
            Threshold = KeyHash.Numbers;
            (Unread, _keysSeen, _isUnknown) = (0, 0, false);
        }
        else
        {
            _sample.RemoveOf(database);
            _largest.RemoveOf(database);
        }

        TellSeam();
    }

    /// <summary>Keys are there of which the seam has not told: those of a checkpoint.</summary>
    internal void OnRestored()
    {
        _isUnknown = true;
        Unread = _store.Index.Count * Threshold / KeyHash.Numbers;
    }

    /// <summary>Looks some keys up, and goes on with a walk of the index or begins one that is due. Called under the
    /// lease, between commands.</summary>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public void RunCycle(long nowMs)
    {
        LookUpSampled(ref _nextSampled, PartOf(_sample.Count, CensusLimits.SampleParts));
        LookUpLargest(ref _nextLargest, PartOf(_largest.Keys.Count, CensusLimits.LargestParts));
        if (!_walk.IsUnderWay && Math.Abs(nowMs - _lookedAtMs) >= CensusLimits.LookMs)
        {
            _lookedAtMs = nowMs;
            BeginWalkIfDue(nowMs);
        }

        if (_walk.IsUnderWay)
        {
            Walk(_walk.SearchesLargest ? CensusLimits.BucketsLookedThroughAtOnce : CensusLimits.BucketsAtOnce, nowMs);
        }

        TellSeam();
    }

    /// <summary>Goes on to look all keys up that are known, and, where there are so few that more are drawn than the
    /// seam tells of, to look for them: what is copied then is of this moment. A call takes about a tenth of a
    /// millisecond. Called under the lease, between commands.</summary>
    /// <param name="refresh">How far it is.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    /// <returns>Whether all is done.</returns>
    public bool TryRefresh(ref CensusRefresh refresh, long nowMs)
    {
        if (!refresh.HasBegun)
        {
            refresh = new CensusRefresh
            {
                HasBegun = true,
                Sampled = _sample.Count,
                Largest = _largest.Keys.Count,
            };
        }

        if (refresh.Sampled + refresh.Largest > 0)
        {
            LookUpLargest(ref refresh.Largest, refresh.Largest);
            LookUpSampled(ref refresh.Sampled, Math.Min(refresh.Sampled, CensusLimits.KeysAtOnce));
        }
        else if (!refresh.Walks)
        {
            refresh.Walks = true;
            var threshold = Math.Max(Threshold, Affordable());
            if (threshold > SeamMost && !_walk.Searches)
            {
                _walk.Begin(threshold, searchesLargest: false, readsPages: false);
            }
        }
        else if (_walk.IsUnderWay && !_walk.Searches)
        {
            Walk(CensusLimits.BucketsAtOnce, nowMs);
        }

        TellSeam();
        return refresh.Walks && (!_walk.IsUnderWay || _walk.Searches);
    }

    /// <summary>Copies what is known. Any thread; it waits for nobody.</summary>
    /// <returns>False where it was being changed again and again: there is nothing.</returns>
    public bool TryCopy(CensusCopy copy)
    {
        for (var attempt = 0; attempt < CensusKeys.Attempts; attempt++)
        {
            var below = KnownBelow();
            if (!_sample.TryCopy(below, copy.Sample))
            {
                return false;
            }

            for (var database = 0; database < Limits.MaxDatabases; database++)
            {
                copy.SetKeys((byte)database, _store.Databases.Keys((byte)database));
            }

            copy.Rate = below / (double)KeyHash.Numbers;
            copy.UnreadKeys = (double)Unread * KeyHash.Numbers / Threshold;
            copy.CompleteAbove = _largest.CompleteAbove;
            if (KnownBelow() == below)
            {
                return _largest.Keys.TryCopy(uint.MaxValue, copy.Largest);
            }
        }

        return false;
    }

    /// <summary>A walk has met a key whose number is below its threshold, in memory.</summary>
    internal void OnMet(in Record record)
        => NoteDrawn(
            record.KeyWith(record.ComputeHash()), record.Address, ShardCollections.UsageOf(record), isNew: false);

    private static int PartOf(int count, int parts) => (count + parts - 1) / parts;

    private void TellSeam()
        => _store.Changes.TellCensus(
            Math.Min(WantedBelow, SeamMost), Unread > 0, _largest.WantedAbove - HashIndex.BytesPerKey);

    /// <summary>The threshold below which all keys are known: where more are drawn than the seam tells of, only while
    /// hardly any have come or gone since all were seen.</summary>
    private uint KnownBelow()
    {
        var change = Math.Abs(_store.Index.Count - _keysSeen);
        return Threshold <= SeamMost || change * CensusLimits.SeamPart <= _keysSeen ? Threshold : SeamMost;
    }

    /// <summary>The largest threshold at which three quarters of the room would be used.</summary>
    private uint Affordable()
    {
        var room = _sample.Capacity * 0.75 * KeyHash.Numbers / Math.Max(1, _store.Index.Count);
        return room >= KeyHash.Numbers ? KeyHash.Numbers : 1u << BitOperations.Log2((uint)Math.Max(1, room));
    }

    private void NoteDrawn(in Key key, ulong address, long bytes, bool isNew)
    {
        var index = _sample.Find(key.Hash);
        if (index >= 0)
        {
            _sample.Set(index, address, bytes);
            return;
        }

        if (!isNew)
        {
            OnFound();
        }

        while (_sample.Count == _sample.Capacity)
        {
            Halve();
        }

        if (KeyHash.NumberOf(key.Hash) < WantedBelow)
        {
            _sample.Add(key, address, bytes);
        }
    }

    private void Forget(ulong hash, bool wasNew)
    {
        var index = _sample.Find(hash);
        if (index >= 0)
        {
            _sample.RemoveAt(index);
        }
        else if (!wasNew)
        {
            OnFound();
        }

        index = _largest.Keys.Find(hash);
        if (index >= 0)
        {
            _largest.RemoveAt(index);
        }
    }

    /// <summary>A key that was not known is, or has gone.</summary>
    private void OnFound()
    {
        Unread = Math.Max(0, Unread - 1);
        _walk.OnFound();
    }

    /// <summary>Draws half as many keys.</summary>
    private void Halve()
    {
        var half = Math.Max(1, WantedBelow / 2);
        _walk.LowerTo(half);
        if (Threshold > half)
        {
            Threshold = half;
            Unread /= 2;
        }

        for (var i = _sample.Count - 1; i >= 0; i--)
        {
            if (KeyHash.NumberOf(_sample.Entries[i].Hash) >= half)
            {
                _sample.RemoveAt(i);
            }
        }
    }

    private void BeginWalkIfDue(long nowMs)
    {
        var threshold = Math.Max(Threshold, Affordable());
        var searchesLargest = _isUnknown || (_largest.IsSearchDue && IsDue(_searchedAtMs));
        var readsPages = !searchesLargest && Unread > 0 && ReadPage != null && IsDue(_readAtMs);
        if (searchesLargest || readsPages || _isCountDue || threshold > Threshold || Threshold > SeamMost)
        {
            _isCountDue = false;
            _searchedAtMs = searchesLargest ? nowMs : _searchedAtMs;
            _readAtMs = readsPages ? nowMs : _readAtMs;
            _isUnknown = false;
            _walk.Begin(threshold, searchesLargest, readsPages);
        }

        bool IsDue(long lastAtMs) => Math.Abs(nowMs - lastAtMs) >= CensusLimits.SearchMs;
    }

    private void Walk(int buckets, long nowMs)
    {
        if (_walk.Step(buckets, nowMs))
        {
            // What was found meanwhile may have been counted, or not yet: after a walk for names it is counted again.
            Unread = _walk.ReadsPages ? Unread : _walk.Unread;
            _isCountDue = _walk.ReadsPages;
            Threshold = WantedBelow;
            _keysSeen = _store.Index.Count;
            _walk.End();
        }
    }

    private void LookUpSampled(ref int next, int count)
    {
        for (; count > 0 && _sample.Count > 0; count--)
        {
            next = next <= 0 || next > _sample.Count ? _sample.Count - 1 : next - 1; // Who leaves has the last's place.
            if (!_lookup.TryRefresh(_sample, next))
            {
                _sample.RemoveAt(next);
            }
        }
    }

    private void LookUpLargest(ref int next, int count)
    {
        for (; count > 0 && _largest.Keys.Count > 0; count--)
        {
            next = next <= 0 || next > _largest.Keys.Count ? _largest.Keys.Count - 1 : next - 1;
            if (_lookup.TryRefresh(_largest.Keys, next))
            {
                _largest.OnChanged(next);
            }
            else
            {
                _largest.RemoveAt(next);
            }
        }
    }
}
