using System.Numerics;
using System.Runtime.InteropServices;
using Strata.Storage.Changes;
using Strata.Storage.Index;

namespace Strata.Storage.Interests;

/// <summary>Who waits for streams' entries: those without a group, all of whom an entry is for, and those of each
/// group, of whom it is for the first. A stream may be there and have nothing new; so those are found apart who may
/// have something and have not looked yet (<see cref="AwaitedKey.IsDue"/>). Under the shard's lease.</summary>
internal sealed class StreamWaits
{
    private readonly InterestLists _readers = new();

    // Those of one group and key are in one list.
    private readonly InterestLists _ofGroups = new();

    // The first ones of all groups of a key, in no order, by its hash.
    private readonly Dictionary<ulong, AwaitedKey> _heads = [];
    private readonly DueWaits _dueReaders = new();
    private readonly DueWaits _dueOfGroups = new();

    // By hash, by whom and how all were woken, since when nobody has come, looked or gone: then they need not be again.
    private readonly Dictionary<ulong, Waking> _woken = [];

    /// <summary>Keys that groups wait at; any thread may read it.</summary>
    public int KeysOfGroups => _heads.Count;

    /// <summary>Whether somebody waits at a key of a hash.</summary>
    public bool Has(ulong hash) => _readers.Has(hash) || _heads.ContainsKey(hash);

    /// <summary>Who came first of those who may have something at a key.</summary>
    public AwaitedKey? FirstDue(in Key key)
    {
        var (reader, ofGroup) = (_dueReaders.FirstIn(key), _dueOfGroups.FirstIn(key));
        return ofGroup == null || reader?.Number < ofGroup.Number ? reader : ofGroup;
    }

    /// <summary>Who came first of those who may have something at a key for their group.</summary>
    public AwaitedKey? FirstDueOfGroups(in Key key) => _dueOfGroups.FirstIn(key);

    /// <summary>Who came first of those of the same key and group.</summary>
    public AwaitedKey? FirstOfGroup(in Key key, ulong group)
    {
        var first = _ofGroups.OldestIn(key, ListOf(key, group));
        while (first != null && ((AwaitedKey)first).Waiter.Group != group)
        {
            first = InterestLists.NextTo(first); // Those of another one are there where the numbers are alike.
        }

        return (AwaitedKey?)first;
    }

    /// <summary>Somebody waits from here on, behind the others.</summary>
    public void Add(AwaitedKey awaited)
    {
        if (awaited.Waiter.Group == 0)
        {
            _readers.Add(awaited.Place.Hash, awaited);
        }
        else
        {
            _ofGroups.Add(ListOf(awaited.Place, awaited.Waiter.Group), awaited);
            if (FirstOfGroup(awaited.Place, awaited.Waiter.Group) == awaited)
            {
                AddHead(awaited);
            }
        }

        if (awaited.IsDue)
        {
            DueOf(awaited).Add(awaited);
        }

        _ = _woken.Remove(awaited.Place.Hash);
    }

    /// <summary>Somebody waits no longer; whether they were due can still be seen.</summary>
    public void Remove(AwaitedKey awaited)
    {
        var (key, group) = (awaited.Place, awaited.Waiter.Group);
        if (awaited.IsDue)
        {
            DueOf(awaited).Remove(awaited);
        }

        _ = _woken.Remove(key.Hash);
        if (group == 0)
        {
            _readers.Remove(key.Hash, awaited);
            return;
        }

        var isHead = FirstOfGroup(key, group) == awaited;
        _ofGroups.Remove(ListOf(key, group), awaited);
        if (isHead)
        {
            RemoveHead(awaited);
            if (FirstOfGroup(key, group) is { } next)
            {
                AddHead(next);
            }
        }
    }

    /// <summary>There may be something for somebody.</summary>
    public void MakeDue(AwaitedKey awaited)
    {
        if (!awaited.IsDue)
        {
            awaited.IsDue = true;
            DueOf(awaited).Add(awaited);
            _ = _woken.Remove(awaited.Place.Hash);
        }
    }

    /// <summary>There may be something for all at a key: those without a group, and who came first of each.</summary>
    public void MakeAllDue(in Key key)
    {
        for (var reader = _readers.OldestIn(key); reader != null; reader = InterestLists.NextTo(reader))
        {
            MakeDue((AwaitedKey)reader);
        }

        _ = _heads.TryGetValue(key.Hash, out var head);
        for (; head != null; head = head.NextHead)
        {
            if (head.StandsUnder(key))
            {
                MakeDue(head);
            }
        }
    }

    /// <summary>Somebody who was due has looked.</summary>
    public void OnLooked(AwaitedKey awaited)
    {
        DueOf(awaited).Remove(awaited);
        _ = _woken.Remove(awaited.Place.Hash);
    }

    /// <summary>Finds whom a change of a key is to wake: all who read it without a group, and of each group who came
    /// first; or, where there is no such stream or group any more, all of all groups.</summary>
    /// <param name="key">The key.</param>
    /// <param name="bringsEntries">Whether the stream has got entries.</param>
    /// <param name="author">Who has changed it.</param>
    /// <returns>Those to be woken, who came first before the others; null if they have been woken by the same author
    /// already, and have not looked yet.</returns>
    public List<AwaitedKey>? ToWake(in Key key, bool bringsEntries, IChangeAuthor? author)
    {
        var first = bringsEntries ? _readers.OldestIn(key) : null;
        _ = _heads.TryGetValue(key.Hash, out var head);
        var waking = new Waking(author, bringsEntries);
        if ((first == null && head == null) || (_woken.TryGetValue(key.Hash, out var before) && before == waking))
        {
            return null;
        }

        List<AwaitedKey> all = [];
        for (var reader = first; reader != null; reader = InterestLists.NextTo(reader))
        {
            all.Add((AwaitedKey)reader);
        }

        for (; head != null; head = head.NextHead)
        {
            if (head.StandsUnder(key))
            {
                AddOfGroup(all, head, all: !bringsEntries);
            }
        }

        all.Sort(DueWaits.ByAge);
        return all;
    }

    /// <summary>All have been woken whom <see cref="ToWake"/> has found.</summary>
    public void OnWoken(in Key key, bool bringsEntries, IChangeAuthor? author)
        => _woken[key.Hash] = new Waking(author, bringsEntries);

    /// <summary>Adds all who wait for groups to a list.</summary>
    public void CopyOfGroups(List<KeyInterest> all) => _ofGroups.CopyTo(all);

    /// <summary>Adds all to a list, each key's in the order they came.</summary>
    public void CopyTo(List<KeyInterest> all)
    {
        var before = all.Count;
        _readers.CopyTo(all);
        if (_heads.Count > 0)
        {
            _ofGroups.CopyTo(all);
            CollectionsMarshal.AsSpan(all)[before..].Sort(static (one, other) => one.Number.CompareTo(other.Number));
        }
    }

    private static void AddOfGroup(List<AwaitedKey> list, AwaitedKey head, bool all)
    {
        list.Add(head);
        for (var next = InterestLists.NextTo(head); all && next != null;
            next = InterestLists.NextTo(next))
        {
            if (((AwaitedKey)next).Waiter.Group == head.Waiter.Group)
            {
                list.Add((AwaitedKey)next);
            }
        }
    }

    private static ulong ListOf(in Key key, ulong group) => key.Hash ^ BitOperations.RotateLeft(group, 32);

    private DueWaits DueOf(AwaitedKey awaited) => awaited.Waiter.Group == 0 ? _dueReaders : _dueOfGroups;

    private void AddHead(AwaitedKey awaited)
    {
        ref var head = ref CollectionsMarshal.GetValueRefOrAddDefault(_heads, awaited.Place.Hash, out _);
        awaited.NextHead = head;
        if (head != null)
        {
            head.PreviousHead = awaited;
        }

        head = awaited;
    }

    private void RemoveHead(AwaitedKey awaited)
    {
        if (awaited.NextHead != null)
        {
            awaited.NextHead.PreviousHead = awaited.PreviousHead;
        }

        if (awaited.PreviousHead != null)
        {
            awaited.PreviousHead.NextHead = awaited.NextHead;
        }
        else if (awaited.NextHead != null)
        {
            _heads[awaited.Place.Hash] = awaited.NextHead;
        }
        else
        {
            _ = _heads.Remove(awaited.Place.Hash);
        }

        awaited.NextHead = null;
        awaited.PreviousHead = null;
    }

    private readonly record struct Waking(IChangeAuthor? Author, bool BringsEntries);
}
