using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Sorting;

/// <summary>Elements to be sorted, or values to be stored, in native memory for as long as the command takes. Their
/// bytes stay where they are.</summary>
internal sealed unsafe class SortVector : IDisposable
{
    private readonly int _capacity;
    private readonly BufferPool _buffers;
    private NativeBlock _items;
    private MemoryCharge _itemsCharge;
    private NativeBlock _copies;
    private MemoryCharge _copiesCharge;
    private nint _copied;

    /// <summary>A vector for up to <paramref name="capacity"/> items, charged to a budget.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for so many.</exception>
    public SortVector(MemoryBudget budget, long capacity)
    {
        _buffers = budget.Buffers;
        _itemsCharge = new MemoryCharge(budget);
        _copiesCharge = new MemoryCharge(budget);
        if (capacity > int.MaxValue)
        {
            throw new MemoryExhaustedException("more than 2,147,483,647 elements cannot be sorted");
        }

        _capacity = (int)capacity;
        Allocate(ref _items, ref _itemsCharge, sizeof(SortItem));
    }

    /// <summary>Items added.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of all their elements.</summary>
    public long ElementBytes { get; private set; }

    /// <summary>The items.</summary>
    public Span<SortItem> Items => new(_items.Start, Count);

    /// <summary>Adds an element whose bytes lie in native memory and stay.</summary>
    public void Add(ReadOnlySpan<byte> element)
    {
        Invariant.Check(Count < _capacity, "there is room for as many elements as were counted");
        ((SortItem*)_items.Start)[Count] = new SortItem
        {
            Element = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(element)),
            ElementLength = element.Length,
            Index = Count,
        };
        Count++;
        ElementBytes += element.Length;
    }

    /// <summary>Adds an element whose bytes, those of an integer, do not stay.</summary>
    public void AddCopy(ReadOnlySpan<byte> integer)
    {
        const int LongestInteger = 20;
        if (_copies.Start == null)
        {
            Allocate(ref _copies, ref _copiesCharge, LongestInteger);
        }

        var copy = new Span<byte>(_copies.Start + _copied, integer.Length);
        integer.CopyTo(copy);
        _copied += integer.Length;
        Add(copy);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _buffers.Free(ref _items, ref _itemsCharge);
        _buffers.Free(ref _copies, ref _copiesCharge);
    }

    private void Allocate(ref NativeBlock block, ref MemoryCharge charge, int size)
    {
        try
        {
            _buffers.Resize(ref block, ref charge, (long)_capacity * size);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no memory for {_capacity} elements", exception);
        }
    }
}
