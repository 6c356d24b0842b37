using System.Runtime.CompilerServices;

namespace Strata.Storage.Memory;

/// <summary>Values in native memory, which grows by doubling as they are added. What it grows to is charged to the
/// budget, and given back by <see cref="Free"/>; what it has from the start is not.</summary>
public unsafe class NativeList<T> : IDisposable
    where T : unmanaged
{
    private readonly int _leastCapacity;
    private readonly BufferPool _buffers;
    private NativeBlock _block;
    private T* _items;
    private MemoryCharge _charge;

    /// <summary>An empty list.</summary>
    /// <param name="budget">What is charged.</param>
    /// <param name="leastCapacity">How many values it has memory for from the start.</param>
    public NativeList(MemoryBudget budget, int leastCapacity)
    {
        _charge = new MemoryCharge(budget);
        _buffers = budget.Buffers;
        _leastCapacity = leastCapacity;
        Resize(leastCapacity);
    }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>Bytes that the next value takes beyond what is charged: as much as there is, where that is full.
    /// </summary>
    public long GrowthBytes => Count < Capacity ? 0 : (long)Capacity * sizeof(T);

    /// <summary>Values held.</summary>
    public int Count { get; protected set; }

    /// <summary>The values, until another is added.</summary>
    public Span<T> Span => new(_items, Count);

    /// <summary>Values it has memory for.</summary>
    protected int Capacity { get; private set; }

    /// <summary>The value at <paramref name="index"/>; the pointer is good until <see cref="Add"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T* At(int index) => _items + index;

    /// <summary>Adds a value.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for one more.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(in T value)
    {
        if (Count == Capacity)
        {
            Grow();
        }

        _items[Count++] = value;
    }

    /// <summary>Forgets all values, and gives all memory back that it did not have from the start.</summary>
    public void Free()
    {
        Count = 0;
        if (Capacity > _leastCapacity)
        {
            Resize(_leastCapacity);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _buffers.Free(ref _block, ref _charge);
        _items = null;
        GC.SuppressFinalize(this);
    }

    private void Grow()
    {
        if (Capacity > int.MaxValue / 2)
        {
            throw new InsufficientMemoryException("a list holds no more than 2,147,483,647 values");
        }

        Resize(Capacity * 2);
    }

    private void Resize(int capacity)
    {
        _buffers.Resize(ref _block, ref _charge, (long)capacity * sizeof(T), (long)_leastCapacity * sizeof(T));
        _items = (T*)_block.Start;
        Capacity = (int)Math.Min(_block.Bytes / sizeof(T), int.MaxValue);
    }
}
