using System.Runtime.CompilerServices;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Changes;

/// <summary>
/// The one seam at which the changes of a shard's keys are told, before and after. Whoever wants to know of changes
/// listens here. Told under the shard's lease; while nobody listens, that costs one look at a field. Of some keys the
/// census is told besides (<see cref="IKeyCensus"/>), which costs others two comparisons.
/// </summary>
public sealed class ShardChanges
{
    /// <summary>Stands for the keys of all databases.</summary>
    public const int AllDatabases = -1;

    // A command changes at most two keys at a time. Of others it may tell before that it leaves as they are.
    private const int MostUnderWay = 8;

    private readonly ulong[] _underWay = new ulong[MostUnderWay];
    private uint _nextUnderWay;
    private volatile IChangeListener[]? _listeners;
    private uint _drawnBelow;
    private bool _tellsAllDrawn;
    private long _largeAbove = long.MaxValue;

    /// <summary>Whether anybody listens.</summary>
    public bool AreHeard
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _listeners != null;
    }

    /// <summary>Changes of keys that commands have made. Any thread may read it.</summary>
    public long Count { get; private set; }

    /// <summary>Who reads the records as they are at a certain moment; null while nobody does. Under the lease.
    /// </summary>
    internal IUnsavedRecords? Unsaved { get; set; }

    /// <summary>Who keeps account of keys; null where nobody does. Under the lease.</summary>
    internal IKeyCensus? Census { get; set; }

    /// <summary>What the census is told of. Under the lease.</summary>
    /// <param name="drawnBelow">Keys whose number (<see cref="KeyHash.NumberOf"/>) is below.</param>
    /// <param name="tellsAll">Whether of these every change is told, and not only when they come and go.</param>
    /// <param name="largeAbove">Keys whose records have more bytes; and large collections.</param>
    internal void TellCensus(uint drawnBelow, bool tellsAll, long largeAbove)
    {
        _drawnBelow = drawnBelow;
        _tellsAllDrawn = tellsAll;
        _largeAbove = largeAbove;
    }

    /// <summary>Tells the census of a key that was met where its record was read from the device, if it looks for some.
    /// </summary>
    internal void TellMet(in Key key, in Record record)
    {
        if (_tellsAllDrawn)
        {
            Census?.Note(key, record, isNew: false);
        }
    }

    /// <summary>Tells a listener from now on, behind those there are. Any thread; who does not hold the lease knows
    /// that changes under way may not be told.</summary>
    public void Add(IChangeListener listener)
    {
        IChangeListener[]? before;
        do
        {
            before = _listeners;
        }
        while (Interlocked.CompareExchange(ref _listeners, [.. before ?? [], listener], before) != before);
    }

    /// <summary>Tells a listener no longer, if it listens. Any thread; who does not hold the lease knows that it may be
    /// told of a change under way.</summary>
    public void Remove(IChangeListener listener)
    {
        IChangeListener[]? before;
        IChangeListener[]? after;
        do
        {
            before = _listeners;
            var others = Array.FindAll(before ?? [], other => other != listener);
            after = others.Length == 0 ? null : others;
        }
        while (Interlocked.CompareExchange(ref _listeners, after, before) != before);
    }

    /// <summary>Tells that a key is about to be changed.</summary>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record, or a null one.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Before(in Key key, in Record record)
    {
        if (AreHeard)
        {
            TellBefore(key, record);
        }
    }

    /// <summary>Tells that a key was changed.</summary>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record by now, or a null one.</param>
    /// <param name="change">What became of it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Tell(in Key key, in Record record, in Change change)
    {
        Count += change.Author != null ? 1 : 0;
        if (IsForCensus(key, record, hasCome: change.What == KeyEvent.New))
        {
            Census?.Note(key, record, isNew: change.What == KeyEvent.New);
        }

        if (AreHeard)
        {
            TellChanged(key, record, change);
        }
    }

    /// <summary>Tells of a change that has come to its end, and with it that the key is new, or is gone.</summary>
    /// <param name="key">The key.</param>
    /// <param name="wasMissing">Whether the key was not there before.</param>
    /// <param name="record">Its record by now, or a null one.</param>
    /// <param name="change">What became of it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void TellWhole(in Key key, bool wasMissing, in Record record, in Change change)
    {
        Count += change.Author != null ? 1 : 0;
        if (IsForCensus(key, record, wasMissing))
        {
            Census?.Note(key, record, wasMissing);
        }

        if (!AreHeard)
        {
            return;
        }

        if (wasMissing && !record.IsNull)
        {
            TellChanged(key, record, new Change(KeyEvent.New, change.Author));
        }

        TellChanged(key, record, change);
        if (!wasMissing && record.IsNull)
        {
            TellChanged(key, record, new Change(KeyEvent.Del, change.Author));
        }
    }

    /// <summary>Tells that a field of a hash is about to go, since its time has come.</summary>
    public void TellFieldExpired(in Key key, ReadOnlySpan<byte> field)
    {
        if (!AreHeard)
        {
            return;
        }

        foreach (var listener in _listeners ?? [])
        {
            listener.FieldExpired(key, field);
        }
    }

    /// <summary>Whether listeners were told before a change of a key, and not of its end: the change is under way, or
    /// the key stayed as it was.</summary>
    public bool MayBeUnderWay(in Key key) => AreHeard && Array.IndexOf(_underWay, key.Hash) >= 0;

    /// <summary>Tells that the keys of a database, or of all, are about to go.</summary>
    public void BeforeClear(int database)
    {
        foreach (var listener in _listeners ?? [])
        {
            listener.BeforeClear(database);
        }
    }

    /// <summary>Tells that the keys of a database, or of all, are gone.</summary>
    /// <param name="database">The database.</param>
    /// <param name="keys">How many they were.</param>
    /// <param name="author">Who asked for it.</param>
    public void TellCleared(int database, long keys, IChangeAuthor? author)
    {
        Count += keys;
        Census?.Clear(database);
        foreach (var listener in _listeners ?? [])
        {
            listener.Cleared(database, author);
        }
    }

    /// <summary>Tells that two databases are about to change places.</summary>
    public void BeforeExchange(byte first, byte second)
    {
        foreach (var listener in _listeners ?? [])
        {
            listener.BeforeExchange(first, second);
        }
    }

    /// <summary>Tells that two databases have changed places.</summary>
    public void TellExchanged(byte first, byte second, IChangeAuthor? author)
    {
        foreach (var listener in _listeners ?? [])
        {
            listener.Exchanged(first, second, author);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool IsForCensus(in Key key, in Record record, bool hasCome)
        => record.IsNull
            ? KeyHash.NumberOf(key.Hash) < _drawnBelow
            : ((hasCome || _tellsAllDrawn) && KeyHash.NumberOf(key.Hash) < _drawnBelow)
                || record.SizeBytes > _largeAbove || record.IsLarge;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void TellBefore(in Key key, in Record record)
    {
        if (Array.IndexOf(_underWay, key.Hash) < 0)
        {
            _underWay[_nextUnderWay++ % MostUnderWay] = key.Hash;
        }

        foreach (var listener in _listeners ?? [])
        {
            listener.BeforeChange(key, record);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void TellChanged(in Key key, in Record record, in Change change)
    {
        var place = Array.IndexOf(_underWay, key.Hash);
        if (place >= 0)
        {
            _underWay[place] = 0;
        }

        foreach (var listener in _listeners ?? [])
        {
            listener.Changed(key, record, change);
        }
    }
}
