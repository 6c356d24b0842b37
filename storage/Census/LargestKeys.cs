using Strata.Storage.Index;

namespace Strata.Storage.Census;

/// <summary>The largest keys of a shard: exactly these, down to a size that is known (<see cref="CompleteAbove"/>). A
/// key that shrinks or goes leaves a place that nobody takes who was let go before, until all are looked through again.
/// One thread changes them.</summary>
internal sealed class LargestKeys
{
    private int _least;
    private long _lost;
    private long _lostAgain;
    private bool _hasGone;

    /// <summary>None yet.</summary>
    /// <param name="capacity">How many there may be.</param>
    public LargestKeys(int capacity)
    {
        Keys = new CensusTable(capacity);
    }

    /// <summary>The keys.</summary>
    public CensusTable Keys { get; }

    /// <summary>Keys that take more are to be noted.</summary>
    public long WantedAbove { get; private set; } = CensusLimits.LeastLargeBytes - 1;

    /// <summary>All keys that take more are there.</summary>
    public long CompleteAbove => Math.Max(_lost, WantedAbove);

    /// <summary>What the largest of them takes. Any thread.</summary>
    public long MostBytes { get; private set; }

    /// <summary>Whether so many have gone that others may be larger than most that are left.</summary>
    public bool IsSearchDue
        => _hasGone && _lost >= CensusLimits.LeastLargeBytes && Keys.Count < Keys.Capacity / 2;

    /// <summary>Notes what a key takes by now, if it is large enough, or was.</summary>
    public void Note(in Key key, ulong address, long bytes)
    {
        var index = Keys.Find(key.Hash);
        if (index >= 0)
        {
            Keys.Set(index, address, bytes);
            SetLeast();
            return;
        }

        if (bytes <= WantedAbove)
        {
            return;
        }

        if (Keys.Count == Keys.Capacity)
        {
            Lose(Keys.Entries[_least].Bytes);
            Keys.RemoveAt(_least);
        }

        Keys.Add(key, address, bytes);
        SetLeast();
    }

    /// <summary>Something is known anew of a key, which may not be large any more.</summary>
    public void OnChanged(int index)
    {
        if (Keys.Entries[index].Bytes < CensusLimits.LeastLargeBytes)
        {
            RemoveAt(index);
        }
        else
        {
            SetLeast();
        }
    }

    /// <summary>A key has gone.</summary>
    public void RemoveAt(int index)
    {
        Keys.RemoveAt(index);
        _hasGone = true;
        SetLeast();
    }

    /// <summary>The keys of a database have gone.</summary>
    public void RemoveOf(int database)
    {
        Keys.RemoveOf(database);
        _hasGone = true;
        SetLeast();
    }

    /// <summary>There may be keys of so many bytes that are not known.</summary>
    public void Lose(long bytes)
    {
        _lost = Math.Max(_lost, bytes);
        _lostAgain = Math.Max(_lostAgain, bytes);
    }

    /// <summary>All keys begin to be looked through.</summary>
    public void BeginSearch() => (_lostAgain, _hasGone) = (0, false);

    /// <summary>They were.</summary>
    public void EndSearch() => _lost = _lostAgain;

    /// <summary>All keys are gone.</summary>
    public void Clear()
    {
        Keys.Clear();
        (_lost, _lostAgain, _hasGone) = (0, 0, false);
        SetLeast();
    }

    private void SetLeast()
    {
        _least = 0;
        var entries = Keys.Entries;
        var most = 0L;
        for (var i = 0; i < entries.Length; i++)
        {
            most = Math.Max(most, entries[i].Bytes);
            if (entries[i].Bytes < entries[_least].Bytes)
            {
                _least = i;
            }
        }

        MostBytes = most;

        var least = Keys.Count == Keys.Capacity ? entries[_least].Bytes : 0;
        WantedAbove = Math.Max(CensusLimits.LeastLargeBytes - 1, least);
    }
}
