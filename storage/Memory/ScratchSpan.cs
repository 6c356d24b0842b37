namespace Strata.Storage.Memory;

/// <summary>Values that a call needs until it ends: where its caller has memory for so few, there, and else in native
/// memory, which is charged to the budget.</summary>
public unsafe ref struct ScratchSpan<T> : IDisposable
    where T : unmanaged
{
    private readonly MemoryBudget? _budget;
    private NativeBlock _block;
    private MemoryCharge _charge;

    /// <summary>So many values, of which nothing is set.</summary>
    /// <param name="budget">What is charged.</param>
    /// <param name="count">How many.</param>
    /// <param name="memory">What the caller has, for as long as the values are needed.</param>
    /// <exception cref="MemoryExhaustedException">The system gives no memory for so many.</exception>
    public ScratchSpan(MemoryBudget budget, int count, Span<T> memory = default)
    {
        if (count <= memory.Length)
        {
            Span = memory[..count];
            return;
        }

        _budget = budget;
        _charge = new MemoryCharge(budget);
        try
        {
            budget.Buffers.Resize(ref _block, ref _charge, (long)count * sizeof(T));
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no memory for {count} values", exception);
        }

        Span = new Span<T>(_block.Start, count);
    }

    /// <summary>The values.</summary>
    public Span<T> Span { get; private set; }

    /// <summary>Gives the memory back.</summary>
    public void Dispose()
    {
        _budget?.Buffers.Free(ref _block, ref _charge);
        Span = default;
    }
}
