using System.Runtime.CompilerServices;

namespace Strata.Storage.Memory;

/// <summary>Values in native memory, which grows by doubling as they are added. What it grows to is charged to the
/// budget, and given back by <see cref="Free"/>; what it has from the start is not.</summary>
public unsafe class NativeList<T> : IDisposable
    where T : unmanaged
{
    private readonly int _leastCapacity;
    private readonly MemoryBudget _budget;
    private readonly BufferPool _buffers;
    private NativeBlock _block;
    private T* _items;
    private MemoryCharge _charge;

    /// <summary>An empty list.</summary>
    /// <param name="budget">What is charged.</param>
    /// <param name="leastCapacity">How many values it has memory for from the start.</param>
    public NativeList(MemoryBudget budget, int leastCapacity)
    {
        _budget = budget;
        _charge = new MemoryCharge(budget);
        _buffers = budget.Buffers;
        _leastCapacity = leastCapacity;
        Resize(leastCapacity);
    }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>Values held.</summary>
    public int Count { get; protected set; }

    /// <summary>The values, until another is added.</summary>
    public Span<T> Span => new(_items, Count);

    /// <summary>Values it has memory for.</summary>
    protected int Capacity { get; private set; }

    /// <summary>The value at <paramref name="index"/>; the pointer is good until <see cref="Add"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T* At(int index) => _items + index;

    /// <summary>Asks for the memory of the next value: as much again as there is, where that is full.</summary>
    /// <param name="freeBytes">What need not be asked for.</param>
    /// <exception cref="MemoryExhaustedException">Memory is at its end.</exception>
    public void AskForNext(long freeBytes)
    {
        var bytes = (long)Capacity * sizeof(T);
        if (Count == Capacity && bytes > freeBytes)
        {
            _budget.AskForValue(bytes, neededBytes: 0, madeBytes: ChargedBytes);
        }
    }

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
