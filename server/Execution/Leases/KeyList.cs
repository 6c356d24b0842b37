using System.Runtime.InteropServices;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Execution.Leases;

/// <summary>The keys of one command. A client's command may have a million: what the list grows to for such a one is
/// charged to the budget, and given back when it is cleared.</summary>
internal sealed unsafe class KeyList : IDisposable
{
    private const int InitialCapacity = 1024;

    private Key* _keys = (Key*)NativeMemory.Alloc(InitialCapacity, (nuint)sizeof(Key));
    private int _capacity = InitialCapacity;
    private int _count;
    private MemoryCharge _charge;

    /// <summary>An empty list.</summary>
    public KeyList(MemoryBudget budget)
    {
        _charge = new MemoryCharge(budget);
    }

    /// <summary>The keys, until another is added.</summary>
    public ReadOnlySpan<Key> Span => new(_keys, _count);

    /// <summary>Adds a key.</summary>
    public void Add(in Key key)
    {
        if (_count == _capacity)
        {
            Resize(_capacity * 2);
        }

        _keys[_count++] = key;
    }

    /// <summary>Forgets the keys.</summary>
    public void Clear()
    {
        _count = 0;
        if (_capacity > InitialCapacity)
        {
            Resize(InitialCapacity);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.Free(_keys);
        _keys = null;
        _charge.Set(0);
    }

    private void Resize(int capacity)
    {
        _keys = (Key*)NativeMemory.Realloc(_keys, (nuint)capacity * (nuint)sizeof(Key));
        _capacity = capacity;
        _charge.Set((long)(capacity - InitialCapacity) * sizeof(Key));
    }
}
