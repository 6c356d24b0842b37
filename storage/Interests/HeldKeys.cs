using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Strata.Storage.Index;

namespace Strata.Storage.Interests;

/// <summary>Which keys are held by commands that go on in steps: whether one is, and by whom, is found at once, however
/// many hold it, and each of them is told once that it was changed. Under the shard's lease.</summary>
internal sealed class HeldKeys
{
    private readonly InterestLists _unchanged = new();
    private readonly InterestLists _changed = new();

    // How often a holder has a key. Two keys of one hash count as one: who holds the one goes on with the other, too,
    // and whoever else holds that begins anew.
    private readonly Dictionary<(ulong Hash, object Holder), int> _holders = [];

    /// <inheritdoc cref="KeyWaits.IsHeld"/>
    public bool IsHeld(in Key key, object holder, [NotNullWhen(true)] out HeldKey? held)
    {
        held = null;
        if (_holders.Count == 0)
        {
            return false;
        }

        var (unchanged, changed) = (_unchanged.YoungestIn(key), _changed.YoungestIn(key));
        held = (HeldKey?)(changed == null || unchanged?.Number > changed.Number ? unchanged : changed);
        if (held != null && _holders.ContainsKey((key.Hash, holder)))
        {
            held = null;
        }

        return held != null;
    }

    /// <summary>A key is held from here on.</summary>
    public void Add(HeldKey held)
    {
        ListsOf(held).Add(held.Key.Hash, held);
        CollectionsMarshal.GetValueRefOrAddDefault(_holders, (held.Key.Hash, held.Holder), out _)++;
    }

    /// <summary>A key is held no longer.</summary>
    public void Remove(HeldKey held)
    {
        var holder = (held.Key.Hash, held.Holder);
        ListsOf(held).Remove(held.Key.Hash, held);
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
    }

    /// <summary>The key of one who holds it is about to be changed.</summary>
    public void OnChange(HeldKey held)
    {
        if (!held.WasChanged)
        {
            _unchanged.Remove(held.Key.Hash, held);
            held.WasChanged = true;
            _changed.Add(held.Key.Hash, held);
        }
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
    }

    /// <summary>Adds all to a list.</summary>
    public void CopyTo(List<KeyInterest> all)
    {
        _unchanged.CopyTo(all);
        _changed.CopyTo(all);
    }

    private InterestLists ListsOf(HeldKey held) => held.WasChanged ? _changed : _unchanged;
}
