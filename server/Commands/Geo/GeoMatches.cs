using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Geo;

/// <summary>The members that a command has found, in native memory for as long as it takes. Their bytes stay where they
/// are.</summary>
internal sealed unsafe class GeoMatches(MemoryBudget budget) : IDisposable
{
    private const int FirstCapacity = 64;

    private readonly BufferPool _buffers = budget.Buffers;
    private NativeBlock _items;
    private MemoryCharge _charge = new(budget);
    private int _capacity;

    public int Count { get; private set; }

    public Span<GeoMatch> Items => new(_items.Start, Count);

    /// <summary>Adds a member.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for one more.</exception>
    public void Add(in SortedSetElement element, GeoPoint place, double distance)
    {
        if (Count == _capacity)
        {
            Grow();
        }

        var member = element.Member;
        ((GeoMatch*)_items.Start)[Count] = new GeoMatch
        {
            Place = place,
            Distance = distance,
            Score = element.Score,
            Start = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(member)),
            Length = member.Length,
            Index = Count,
        };
        Count++;
    }

    /// <inheritdoc/>
    public void Dispose() => _buffers.Free(ref _items, ref _charge);

    private void Grow()
    {
        var capacity = Math.Max(FirstCapacity, 2L * _capacity);
        if (capacity > int.MaxValue)
        {
            throw new MemoryExhaustedException("more than 2,147,483,647 members cannot be gathered");
        }

        try
        {
            _buffers.Resize(ref _items, ref _charge, capacity * sizeof(GeoMatch));
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no memory for {capacity} members", exception);
        }

        _capacity = (int)capacity;
    }
}
