using Strata.Storage.Memory;

namespace Strata.Server.Runtime;

/// <summary>The bytes of commands that wait, taken out of the receive buffer, which goes on to serve others. They are
/// copied; a large command comes over with its pages (<see cref="PageMove"/>) where these may be moved, and can be
/// moved on from here.</summary>
internal sealed unsafe class TakenInput : IDisposable
{
    private readonly BufferPool _buffers;
    private NativeBlock _block;
    private byte* _origin;
    private byte* _start;
    private MemoryCharge _charge;

    /// <summary>Nothing yet; memory is charged to a budget.</summary>
    public TakenInput(MemoryBudget budget)
    {
        _buffers = budget.Buffers;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>The memory the bytes lie in, if its pages may be moved; else null.</summary>
    public MappedMemory? Movable { get; private set; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>Makes room for commands, in place of those before.</summary>
    /// <param name="source">The first byte of the first one.</param>
    /// <param name="length">Bytes from there to the end of the last one.</param>
    /// <param name="movable">Memory whose pages may be moved, if there is some.</param>
    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    public void MakeRoom(byte* source, long length, MappedMemory? movable)
    {
        Free();
        var phase = PageMove.PhaseOf(source);
        if (length >= PageMove.LeastBytes && movable != null && movable.Contains(source, length))
        {
            Movable = MappedMemory.TryMap(phase + length);
        }

        if (Movable != null)
        {
            _charge.Set(length);
            _start = Movable.Start + phase;
        }
        else
        {
            _buffers.Resize(ref _block, ref _charge, length, fits: true);
            _start = _block.Start;
        }

        _origin = source;
    }

    /// <summary>Takes a command; of a large one only the first <see cref="PageMove.KeptBytes"/> stay readable where
    /// they were.</summary>
    /// <param name="source">Its first byte.</param>
    /// <param name="length">Its bytes.</param>
    /// <returns>Where it lies from here on.</returns>
    public byte* Take(byte* source, long length)
    {
        var target = _start + (source - _origin);
        if (Movable != null && length >= PageMove.LeastBytes)
        {
            PageMove.Move(source, target, length);
        }
        else
        {
            Buffer.MemoryCopy(source, target, length, length);
        }

        return target;
    }

    /// <summary>Forgets the commands, and gives all memory back.</summary>
    public void Free()
    {
        Movable?.Dispose();
        Movable = null;
        _buffers.Free(ref _block, ref _charge);
        _start = null;
    }

    /// <inheritdoc/>
    public void Dispose() => Free();
}
