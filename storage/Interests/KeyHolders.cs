using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Strata.Storage.Index;

namespace Strata.Storage.Interests;

/// <summary>Which keys are held by commands that go on in steps: whether one is, and by whom, is found at once, however
/// many hold it, and each of them is told once that it was changed. Those who hold very many, and know them by hashes,
/// are asked one by one. Under the shard's lease.</summary>
internal sealed class KeyHolders
{
    private readonly InterestLists _unchanged = new();
    private readonly InterestLists _changed = new();
    private readonly List<HeldKeys> _sets = [];

    // How often a holder has a key. Two keys of one hash count as one: who holds the one goes on with the other, too,
    // and whoever else holds that begins anew.
    private readonly Dictionary<(ulong Hash, object Holder), int> _holders = [];

    /// <inheritdoc cref="KeyWaits.IsHeld"/>
    public bool IsHeld(in Key key, object holder, [NotNullWhen(true)] out HeldKey? held)
    {
        held = null;
        if (_holders.Count == 0)
        {
            return IsInSet(key, holder, ref held);
        }

        var (unchanged, changed) = (_unchanged.YoungestIn(key), _changed.YoungestIn(key));
        held = (HeldKey?)(changed == null || unchanged?.Number > changed.Number ? unchanged : changed);
        if (held != null && _holders.ContainsKey((key.Hash, holder)))
        {
            held = null;
            return false;
        }

        return IsInSet(key, holder, ref held);
    }

    /// <summary>A key is held from here on, or those of a set are.</summary>
    public void Add(HeldKey held)
    {
        if (held is HeldKeys set)
        {
            _sets.Add(set);
            return;
        }

        ListsOf(held).Add(held.Place.Hash, held);
        CollectionsMarshal.GetValueRefOrAddDefault(_holders, (held.Place.Hash, held.Holder), out _)++;
    }

    /// <summary>A key is held no longer.</summary>
    public void Remove(HeldKey held)
    {
        if (held is HeldKeys set)
        {
            _ = _sets.Remove(set);
            return;
        }

        var holder = (held.Place.Hash, held.Holder);
        ListsOf(held).Remove(held.Place.Hash, held);
        if (--CollectionsMarshal.GetValueRefOrNullRef(_holders, holder) == 0)
        {
            _ = _holders.Remove(holder);
        }
    }

    /// <summary>A key is about to be changed.</summary>
    public void OnChange(in Key key)
    {
        while (_unchanged.OldestIn(key) is HeldKey held)
        {
            OnChange(held);
        }

        foreach (var set in _sets)
        {
            if (!set.WasTold && set.Holds(key))
            {
                set.OnChange();
            }
        }
    }

    /// <summary>The key of one who holds it is about to be changed.</summary>
    public void OnChange(HeldKey held)
    {
        if (held.WasTold)
        {
            return;
        }

        if (held is not HeldKeys)
        {
            _unchanged.Remove(held.Place.Hash, held);
            _changed.Add(held.Place.Hash, held);
        }

        held.OnChange();
    }

    /// <summary>All keys are about to be changed.</summary>
    public void OnChangeOfAll()
    {
        if (_unchanged.Count > 0)
        {
            List<KeyInterest> all = [];
            _unchanged.CopyTo(all);
            all.ForEach(held => OnChange((HeldKey)held));
        }

        _sets.ForEach(OnChange);
    }

    /// <summary>All keys of two databases are about to be exchanged for the others of their names.</summary>
    public void OnExchange(byte first, byte second)
    {
        List<KeyInterest> all = [];
        _unchanged.CopyTo(all);
        all.AddRange(_sets);
        foreach (var held in all)
        {
            if (held.Key.Database == first || held.Key.Database == second)
            {
                OnChange((HeldKey)held);
            }
        }
    }

    /// <summary>Adds all to a list.</summary>
    public void CopyTo(List<KeyInterest> all)
    {
        _unchanged.CopyTo(all);
        _changed.CopyTo(all);
        all.AddRange(_sets);
    }

    /// <summary>Asks those who hold sets of keys.</summary>
    /// <param name="key">The key.</param>
    /// <param name="holder">Whose commands do not count.</param>
    /// <param name="held">Who holds it as a single key, and then, who holds it.</param>
    private bool IsInSet(in Key key, object holder, ref HeldKey? held)
    {
        foreach (var set in _sets)
        {
            if (set.Holds(key))
            {
                held = set;
                if (set.Holder == holder)
                {
                    held = null;
                    return false;
                }
            }
        }

        return held != null;
    }

    private InterestLists ListsOf(HeldKey held) => held.WasTold ? _changed : _unchanged;
}
