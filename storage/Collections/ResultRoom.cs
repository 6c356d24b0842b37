using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>Asks for memory for a collection that a command makes of others, in steps as it grows: how large it becomes
/// is not known before. It lies in a shard's heap, whose lease is held, and no key has it yet; a command makes one at a
/// time.</summary>
internal sealed class ResultRoom
{
    private readonly SlabHeap _heap;
    private readonly MemoryBudget _budget;
    private long _startBytes;
    private long _nextBytes;

    /// <summary>Of a shard's heap.</summary>
    public ResultRoom(SlabHeap heap, MemoryBudget budget)
    {
        _heap = heap;
        _budget = budget;
    }

    /// <summary>Before a collection is made.</summary>
    public void Begin()
    {
        _startBytes = _heap.UsedBytes;
        _nextBytes = _startBytes + Limits.ResultStepBytes;
    }

    /// <summary>To be called before an element of so many bytes is added.</summary>
    /// <exception cref="MemoryExhaustedException">Memory is at its end.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Ask(int bytes)
    {
        if (_heap.UsedBytes + bytes >= _nextBytes)
        {
            AskForStep((long)bytes + Limits.ResultStepBytes);
        }
    }

    private void AskForStep(long bytes)
    {
        var used = _heap.UsedBytes;
        _budget.AskForValue(bytes, neededBytes: 0, madeBytes: used - _startBytes);
        _nextBytes = used + bytes;
    }
}
