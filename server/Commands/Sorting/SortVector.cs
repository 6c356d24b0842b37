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
    private SortItem* _items;
    private byte* _copies;
    private nint _copied;
    private MemoryCharge _charge;

    /// <summary>A vector for up to <paramref name="capacity"/> items, charged to a budget.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for so many.</exception>
    public SortVector(MemoryBudget budget, long capacity)
    {
        _charge = new MemoryCharge(budget);
        if (capacity > int.MaxValue)
        {
            throw new MemoryExhaustedException("more than 2,147,483,647 elements cannot be sorted");
        }

        _capacity = (int)capacity;
        _items = (SortItem*)Allocate(_capacity, sizeof(SortItem));
    }

    /// <summary>Items added.</summary>
    public int Count { get; private set; }

    /// <summary>The items.</summary>
    public Span<SortItem> Items => new(_items, Count);

    /// <summary>Adds an element whose bytes lie in native memory and stay.</summary>
    public void Add(ReadOnlySpan<byte> element)
    {
        Invariant.Check(Count < _capacity, "there is room for as many elements as were counted");
        _items[Count] = new SortItem
        {
            Element = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(element)),
            ElementLength = element.Length,
            Index = Count,
        };
        Count++;
    }

    /// <summary>Adds an element whose bytes, those of an integer, do not stay.</summary>
    public void AddCopy(ReadOnlySpan<byte> integer)
    {
        const int LongestInteger = 20;
        _copies = _copies == null ? (byte*)Allocate(_capacity, LongestInteger) : _copies;
        var copy = new Span<byte>(_copies + _copied, integer.Length);
        integer.CopyTo(copy);
        _copied += integer.Length;
        Add(copy);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.Free(_items);
        NativeMemory.Free(_copies);
        _items = null;
        _copies = null;
        _charge.Set(0);
    }

    private void* Allocate(int count, int size)
    {
        try
        {
            var memory = NativeMemory.Alloc((nuint)count, (nuint)size);
            _charge.Set(_charge.Bytes + ((long)count * size));
            return memory;
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no memory for {count} elements", exception);
        }
    }
}
