using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Memory;

namespace Strata.Server.Resp;

/// <summary>Where the arguments of parsed commands lie: offsets and lengths relative to their command's first byte, in
/// native memory that grows as arguments arrive (never by what a header claims). What it grows to is charged to the
/// budget.</summary>
public sealed unsafe class ArgumentBuffer : IDisposable
{
    private const int InitialCapacity = 256;

    private Argument* _items = (Argument*)NativeMemory.Alloc(InitialCapacity, (nuint)sizeof(Argument));
    private int _capacity = InitialCapacity;
    private MemoryCharge _charge;

    /// <summary>An empty buffer.</summary>
    public ArgumentBuffer(MemoryBudget budget)
    {
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>Arguments held.</summary>
    public int Count { get; private set; }

    /// <summary>The argument at <paramref name="index"/>; the pointer is good until <see cref="Add"/>.</summary>
    public Argument* At(int index) => _items + index;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(int offset, int length)
    {
        if (Count == _capacity)
        {
            Grow();
        }

        _items[Count++] = new Argument(offset, length);
    }

    /// <summary>Forgets all arguments, and gives back what an unusual command made the buffer grow to.</summary>
    public void Clear()
    {
        Count = 0;
        if (_capacity > InitialCapacity * 64)
        {
            Free();
        }
    }

    /// <summary>Forgets all arguments, and gives all memory back that it did not have from the start.</summary>
    public void Free()
    {
        Count = 0;
        if (_capacity > InitialCapacity)
        {
            _capacity = InitialCapacity;
            _items = (Argument*)NativeMemory.Realloc(_items, (nuint)(InitialCapacity * sizeof(Argument)));
            _charge.Set(0);
        }
    }

    /// <summary>Forgets the first <paramref name="count"/> arguments.</summary>
    public void RemoveFirst(int count)
    {
        Count -= count;
        Buffer.MemoryCopy(_items + count, _items, (long)Count * sizeof(Argument), (long)Count * sizeof(Argument));
    }

    /// <summary>Takes over the arguments of <paramref name="other"/> from <paramref name="first"/> on.</summary>
    public void CopyFrom(ArgumentBuffer other, int first)
    {
        Count = 0;
        for (var i = first; i < other.Count; i++)
        {
            Add(other._items[i].Offset, other._items[i].Length);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.Free(_items);
        _items = null;
        _charge.Set(0);
    }

    private void Grow()
    {
        _items = (Argument*)NativeMemory.Realloc(_items, (nuint)_capacity * 2 * (nuint)sizeof(Argument));
        _capacity *= 2;
        _charge.Set((long)_capacity * sizeof(Argument));
    }
}
