using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Interests;

/// <summary>Who waits for keys of a shard to have a value of a type (BLPOP and its like), and who has others wait,
/// since a command that goes on in steps holds a key.</summary>
public sealed class KeyWaits : KeyInterests
{
    private readonly Dictionary<ulong, int> _ofGroups = [];
    private readonly List<HeldKeys> _heldSets = [];

    internal KeyWaits(RecordStore store)
        : base(store)
    {
    }

    /// <summary>Keys whose end somebody waits for, too, who waits for a stream's entries for a group; any thread may
    /// read
    /// it.</summary>
    public int KeysOfGroups => _ofGroups.Count;

    /// <summary>Who came first of those who wait for a type of value at a key, of a stream of those who may have
    /// something new there; null when nobody does.</summary>
    public AwaitedKey? FirstFor(in Key key, RecordType type)
    {
        for (var wait = OldestIn(key); wait != null; wait = NextIn(key, wait))
        {
            if (wait is AwaitedKey awaited && awaited.Waiter.Type == type
                && (type != RecordType.Stream || awaited.IsDue))
            {
                return awaited;
            }
        }

        return null;
    }

    /// <summary>Who comes first of those who wait for a stream's entries for a group, and may have some.</summary>
    /// <param name="key">The stream's key.</param>
    /// <param name="waiter">Before whom they are to have come; null for who does not wait, and comes after all.</param>
    public AwaitedKey? FirstOfGroups(in Key key, IKeyWaiter? waiter)
    {
        for (var wait = OldestIn(key); wait != null; wait = NextIn(key, wait))
        {
            if (wait is AwaitedKey { IsDue: true, Waiter.Group: not 0 } awaited && awaited.Waiter != waiter
                && (waiter == null || awaited.Waiter.Arrival < waiter.Arrival))
            {
                return awaited;
            }
        }

        return null;
    }

    /// <summary>Whether a command that goes on in steps holds a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="holder">Whose commands do not count: they go on.</param>
    /// <param name="held">Who holds it.</param>
    public bool IsHeld(in Key key, object holder, [NotNullWhen(true)] out HeldKey? held)
    {
        held = null;
        for (var interest = OldestIn(key); interest != null; interest = NextIn(key, interest))
        {
            if (interest is HeldKey other)
            {
                if (other.Holder == holder)
                {
                    held = null;
                    return false;
                }

                held = other;
            }
        }

        foreach (var other in _heldSets)
        {
            if (other.Holds(key))
            {
                if (other.Holder == holder)
                {
                    held = null;
                    return false;
                }

                held = other;
            }
        }

        return held != null;
    }

    /// <inheritdoc/>
    public override void BeforeChange(in Key key, in Record record)
    {
        for (var interest = OldestIn(key); interest != null; interest = NextIn(key, interest))
        {
            (interest as HeldKey)?.OnChange();
        }

        foreach (var held in _heldSets)
        {
            if (held.Holds(key))
            {
                held.OnChange();
            }
        }
    }

    /// <inheritdoc/>
    public override void BeforeClear(int database)
    {
        foreach (var interest in Copy())
        {
            (interest as HeldKey)?.OnChange();
        }
    }

    /// <inheritdoc/>
    public override void Changed(in Key key, in Record record, in Change change)
    {
        if (!record.IsNull && record.Type != RecordType.Stream && FirstFor(key, record.Type) is { } first)
        {
            Wake(first, change.Author);
        }

        var isStream = !record.IsNull && record.Type == RecordType.Stream;
        if (!isStream || change.What.BringsEntries || change.What == KeyEvent.XGroupDestroy)
        {
            WakeReaders(key, isStream && change.What.BringsEntries, change.Author);
        }
    }

    /// <inheritdoc/>
    public override void Cleared(int database, IChangeAuthor? author)
    {
        foreach (var interest in Copy())
        {
            if (interest is AwaitedKey { Waiter.Group: not 0 } awaited
                && (database == ShardChanges.AllDatabases || interest.Key.Database == database))
            {
                Wake(awaited, author);
            }
        }
    }

    /// <summary>Whose turn it is when somebody's who had theirs is over; null when it is nobody's.</summary>
    internal AwaitedKey? NextAfter(AwaitedKey gone)
    {
        if (gone.Waiter.Type != RecordType.Stream)
        {
            return FirstFor(gone.Key, gone.Waiter.Type) is { } first && MayBeThere(gone.Key) ? first : null;
        }

        for (var wait = gone.IsDue && gone.Waiter.Group != 0 ? OldestIn(gone.Key) : null; wait != null;
            wait = NextIn(gone.Key, wait))
        {
            if (wait is AwaitedKey awaited && awaited.Waiter.Group == gone.Waiter.Group)
            {
                awaited.WakeDue();
                return awaited;
            }
        }

        return null;
    }

    /// <inheritdoc/>
    private protected override void OnPlaceChanging(KeyInterest interest) => (interest as HeldKey)?.OnChange();

    /// <inheritdoc/>
    private protected override void OnPlaceChanged(KeyInterest interest, IChangeAuthor? author)
    {
        // Who is not the first, or waits for another type, finds out by looking; so does whose stream is gone.
        if (interest is AwaitedKey awaited && (awaited.Waiter.Group != 0 || MayBeThere(interest.Key)))
        {
            Wake(awaited, author);
        }
    }

    /// <inheritdoc/>
    private protected override void OnAdded(KeyInterest interest)
    {
        if (interest is HeldKeys held)
        {
            _heldSets.Add(held);
        }

        if (interest is AwaitedKey { Waiter.Group: not 0 })
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_ofGroups, interest.Key.Hash, out _)++;
        }
    }

    /// <inheritdoc/>
    private protected override void OnRemoved(KeyInterest interest)
    {
        if (interest is HeldKeys held)
        {
            _ = _heldSets.Remove(held);
        }

        if (interest is AwaitedKey { Waiter.Group: not 0 }
            && --CollectionsMarshal.GetValueRefOrNullRef(_ofGroups, interest.Key.Hash) == 0)
        {
            _ = _ofGroups.Remove(interest.Key.Hash);
        }
    }

    /// <summary>Wakes who waits for a stream's entries: all who read it without a group, and of each group who came
    /// first; or, where there is no such stream or group any more, all of all groups.</summary>
    private void WakeReaders(in Key key, bool bringsEntries, IChangeAuthor? author)
    {
        var woken = default(GroupNumbers);
        for (var wait = OldestIn(key); wait != null; wait = NextIn(key, wait))
        {
            if (wait is AwaitedKey awaited && awaited.Waiter.Type == RecordType.Stream
                && (bringsEntries
                    ? awaited.Waiter.Group == 0 || woken.TryAdd(awaited.Waiter.Group)
                    : awaited.Waiter.Group != 0))
            {
                Wake(awaited, author);
            }
        }
    }

    private static void Wake(AwaitedKey awaited, IChangeAuthor? author)
    {
        if (awaited.Waiter.Type == RecordType.Stream)
        {
            awaited.WakeDue();
        }
        else
        {
            awaited.Wake();
        }

        (author as IKeyWaker)?.OnWoken(awaited);
    }
}
