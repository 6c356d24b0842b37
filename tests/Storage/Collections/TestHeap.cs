using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Collections;

/// <summary>A heap of its own for a test.</summary>
internal sealed class TestHeap : IDisposable
{
    private readonly StripedRegion _region = new(1L << 36, owners: 1, SlabHeap.SlabBits);

    public TestHeap()
    {
        Heap = new SlabHeap(new MemoryBudget(), _region.Of(0));
    }

    public SlabHeap Heap { get; }

    public void Dispose()
    {
        Heap.Dispose();
        _region.Dispose();
    }
}
