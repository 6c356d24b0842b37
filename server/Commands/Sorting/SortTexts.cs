using Strata.Storage.Memory;

namespace Strata.Server.Commands.Sorting;

/// <summary>Copies of elements and values that a command in steps compares, whose own places may change.</summary>
internal sealed unsafe class SortTexts : IDisposable
{
    private const int BlockBytes = 64 << 10;

    private readonly MemoryBudget _budget;
    private readonly List<NativeBlock> _blocks = [];
    private MemoryCharge _charge;
    private byte* _next;
    private long _left;

    /// <summary>None yet.</summary>
    public SortTexts(MemoryBudget budget)
    {
        _budget = budget;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Copies bytes to where they stay until the end.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for them.</exception>
    public ReadOnlySpan<byte> Copy(ReadOnlySpan<byte> text)
    {
        if (_next == null || text.Length > _left)
        {
            Add(Math.Max(BlockBytes, text.Length));
        }

        var copy = new Span<byte>(_next, text.Length);
        text.CopyTo(copy);
        _next += text.Length;
        _left -= text.Length;
        return copy;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _charge.Set(0);
        foreach (var block in _blocks)
        {
            _budget.Buffers.Free(block);
        }

        _blocks.Clear();
        _next = null;
    }

    private void Add(long bytes)
    {
        _budget.AskForValue(bytes, neededBytes: 0, _charge.Bytes);
        NativeBlock block;
        try
        {
            block = _budget.Buffers.Allocate(bytes);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no {bytes} bytes of memory", exception);
        }

        _blocks.Add(block);
        _charge.Set(_charge.Bytes + block.Bytes);
        _next = block.Start;
        _left = bytes;
    }
}
