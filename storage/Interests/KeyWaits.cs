using System.Diagnostics.CodeAnalysis;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Interests;

/// <summary>Who waits for keys of a shard to have a value of a type (BLPOP and its like), and who has others wait,
/// since a command that goes on in steps holds a key.</summary>
public sealed class KeyWaits : KeyInterests
{
    // By the type that is waited for; streams are apart.
    private readonly InterestLists[] _byType = new InterestLists[(int)RecordType.Stream];
    private readonly StreamWaits _streams = new();
    private readonly KeyHolders _held = new();
    private readonly ExchangedWaits _exchanged = new();
    private int _keys;

    internal KeyWaits(RecordStore store)
        : base(store)
    {
        for (var type = 0; type < _byType.Length; type++)
        {
            _byType[type] = new InterestLists();
        }
    }

    /// <inheritdoc/>
    /// <remarks>Those that are held do not count.</remarks>
    public override int Keys => _keys;

    /// <summary>Keys whose end somebody waits for, too, who waits for a stream's entries for a group; any thread may
    /// read it.</summary>
    public int KeysOfGroups => _streams.KeysOfGroups;

    /// <summary>How many are looked at at once where databases are exchanged; of more it is noted that they are yet to
    /// be (<see cref="WakeExchanged"/>).</summary>
    internal int MostLookedAt { get; set; } = int.MaxValue;

    /// <summary>Who came first of those who wait for a type of value at a key, of a stream of those who may have
    /// something new there; null when nobody does.</summary>
    public AwaitedKey? FirstFor(in Key key, RecordType type)
        => FirstAt(PlaceOf(key), type);

    /// <summary>Who comes first of those who wait for a stream's entries for a group, and may have some.</summary>
    /// <param name="key">The stream's key.</param>
    /// <param name="waiter">Before whom they are to have come; null for who does not wait, and comes after all.</param>
    public AwaitedKey? FirstOfGroups(in Key key, IKeyWaiter? waiter)
        => FirstOfGroupsAt(PlaceOf(key)) is { } first && first.Waiter != waiter
            && (waiter == null || first.Waiter.Arrival < waiter.Arrival) ? first : null;

    /// <summary>Whether a command that goes on in steps holds a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="holder">Whose commands do not count: they go on.</param>
    /// <param name="held">Who holds it.</param>
    public bool IsHeld(in Key key, object holder, [NotNullWhen(true)] out HeldKey? held)
        => _held.IsHeld(PlaceOf(key), holder, out held);

    /// <inheritdoc/>
    public override List<KeyInterest> Copy()
    {
        var all = new List<KeyInterest>(Count);
        Array.ForEach(_byType, lists => lists.CopyTo(all));
        _streams.CopyTo(all);
        _held.CopyTo(all);
        return all;
    }

    /// <inheritdoc/>
    public override void BeforeChange(in Key key, in Record record) => _held.OnChange(PlaceOf(key));

    /// <inheritdoc/>
    public override void BeforeClear(int database) => _held.OnChangeOfAll();

    /// <inheritdoc/>
    public override void Changed(in Key key, in Record record, in Change change)
    {
        var place = PlaceOf(key);
        if (!record.IsNull && record.Type != RecordType.Stream && FirstAt(place, record.Type) is { } first)
        {
            Wake(first, change.Author);
        }

        var isStream = !record.IsNull && record.Type == RecordType.Stream;
        if (!isStream || change.What.BringsEntries || change.What == KeyEvent.XGroupDestroy)
        {
            WakeReaders(place, isStream && change.What.BringsEntries, change.Author);
        }
    }

    /// <inheritdoc/>
    public override void Cleared(int database, IChangeAuthor? author)
    {
        List<KeyInterest> ofGroups = [];
        _streams.CopyOfGroups(ofGroups);
        foreach (var interest in ofGroups)
        {
            if (database == ShardChanges.AllDatabases || interest.Key.Database == database)
            {
                Wake((AwaitedKey)interest, author);
            }
        }
    }

    /// <inheritdoc/>
    /// <remarks>That a key is held does not go over to the one that takes its place: who holds it begins anew.
    /// </remarks>
    public override void BeforeExchange(byte first, byte second) => _held.OnExchange(first, second);

    /// <inheritdoc/>
    public override void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
        ExchangePlaces(first, second);
        _exchanged.Add(first, second);
        if (_exchanged.Count <= MostLookedAt)
        {
            _ = WakeExchanged(int.MaxValue, author);
        }
    }

    /// <summary>Whether nobody is left to be looked at since databases were exchanged.</summary>
    public bool HasWokenExchanged => _exchanged.IsAtEnd;

    /// <summary>Goes on to wake those who may have what they wait for since databases were exchanged. Whoever else
    /// finds such a key finds them, too, woken or not. The lease must be held.</summary>
    /// <param name="most">How many are looked at.</param>
    /// <param name="author">Who exchanged them.</param>
    /// <returns>Whether there are no more.</returns>
    public bool WakeExchanged(int most, IChangeAuthor? author)
    {
        while (most-- > 0 && _exchanged.TryNext(out var awaited))
        {
            // Who is not the first, or waits for another type, finds out by looking; so does whose stream is gone.
            if (_exchanged.Concerns(awaited) && (awaited.Waiter.Group != 0 || MayBeThere(awaited.Key)))
            {
                Wake(awaited, author);
            }
        }

        return _exchanged.IsAtEnd;
    }

    /// <summary>Whose turn it is when somebody's who had theirs is over; null when it is nobody's.</summary>
    internal AwaitedKey? NextAfter(AwaitedKey gone)
    {
        if (gone.Waiter.Type != RecordType.Stream)
        {
            return FirstAt(gone.Place, gone.Waiter.Type) is { } first && MayBeThere(first.Key) ? first : null;
        }

        if (!gone.IsDue || gone.Waiter.Group == 0
            || _streams.FirstOfGroup(gone.Place, gone.Waiter.Group) is not { } next)
        {
            return null;
        }

        _streams.MakeDue(next);
        return next;
    }

    /// <summary>Somebody has looked who may have had something.</summary>
    internal void OnLooked(AwaitedKey awaited) => _streams.OnLooked(awaited);

    /// <inheritdoc/>
    private protected override void OnAdded(KeyInterest interest)
    {
        if (interest is not AwaitedKey awaited)
        {
            _held.Add((HeldKey)interest);
            return;
        }

        _exchanged.OnCame(awaited);
        _keys += IsAwaited(interest.Place.Hash) ? 0 : 1;
        if (awaited.Waiter.Type == RecordType.Stream)
        {
            _streams.Add(awaited);
        }
        else
        {
            _byType[(int)awaited.Waiter.Type].Add(interest.Place.Hash, interest);
        }
    }

    /// <inheritdoc/>
    private protected override void OnRemoved(KeyInterest interest)
    {
        if (interest is not AwaitedKey awaited)
        {
            _held.Remove((HeldKey)interest);
            return;
        }

        _exchanged.OnGone(awaited);
        if (awaited.Waiter.Type == RecordType.Stream)
        {
            _streams.Remove(awaited);
        }
        else
        {
            _byType[(int)awaited.Waiter.Type].Remove(interest.Place.Hash, interest);
        }

        _keys -= IsAwaited(interest.Place.Hash) ? 0 : 1;
    }

    private AwaitedKey? FirstAt(in Key place, RecordType type)
        => type == RecordType.Stream ? Streams(place).FirstDue(place)
            : (AwaitedKey?)_byType[(int)type].OldestIn(place);

    /// <summary>Those who wait for streams, of whom all at a key are noted who may have something there.</summary>
    private StreamWaits Streams(in Key place)
    {
        if (!_exchanged.IsAtEnd)
        {
            _streams.MakeAllDue(place); // It may be that they are yet to be looked at.
        }

        return _streams;
    }

    private AwaitedKey? FirstOfGroupsAt(in Key place) => Streams(place).FirstDueOfGroups(place);

    private bool IsAwaited(ulong hash)
    {
        foreach (var lists in _byType)
        {
            if (lists.Has(hash))
            {
                return true;
            }
        }

        return _streams.Has(hash);
    }

    private void WakeReaders(in Key place, bool bringsEntries, IChangeAuthor? author)
    {
        if (_streams.ToWake(place, bringsEntries, author) is not { } all)
        {
            return;
        }

        foreach (var awaited in all)
        {
            Wake(awaited, author);
        }

        _streams.OnWoken(place, bringsEntries, author);
    }

    private void Wake(AwaitedKey awaited, IChangeAuthor? author)
    {
        var waker = author as IKeyWaker;
        if (awaited.Waiter.Type == RecordType.Stream)
        {
            _streams.MakeDue(awaited);
            awaited.Wake();
        }
        else if (waker?.LastWoken is { } before)
        {
            if (Waking.AreTogether(awaited.Waiter.WokenAs, before.Waiter.WokenAs))
            {
                return; // It has its place among those who are woken together.
            }

            awaited.Waiter.WakeAs(Waking.Behind(before.Waiter.WokenAs), awaited, before);
        }
        else
        {
            awaited.Waiter.WakeAs(Waking.Begin(), awaited, before: null);
        }

        waker?.OnWoken(awaited);
    }
}
