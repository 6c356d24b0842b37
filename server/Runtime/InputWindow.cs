using System.Buffers;
using System.Runtime.InteropServices;
using Strata.Storage.Memory;

namespace Strata.Server.Runtime;

/// <summary>
/// What the connections of a worker read through: the buffer that they receive into, and the one segment that the input
/// of the read under way is given as, wherever it lies. Made once, so that no read allocates.
/// </summary>
internal sealed unsafe class InputWindow : ReadOnlySequenceSegment<byte>, IDisposable
{
    private readonly NativeMemoryView _view = new();
    private byte* _shown;

    public InputWindow()
    {
        Buffer = (byte*)NativeMemory.AlignedAlloc(ServerLimits.ReceiveBufferBytes, 4096);
        Set(Buffer, ServerLimits.ReceiveBufferBytes);
    }

    /// <summary>Holds <see cref="ServerLimits.ReceiveBufferBytes"/>, for the length of one read.</summary>
    public byte* Buffer { get; }

    /// <summary>The memory that the read under way gives, if its pages may be moved (<see cref="PageMove"/>): nobody
    /// looks at the bytes of a command any more that has taken them. Else null.</summary>
    public MappedMemory? Movable { get; set; }

    /// <summary>Gives bytes as a sequence of one segment; the one given before is no longer good.</summary>
    public ReadOnlySequence<byte> Show(byte* start, int length)
    {
        // Mostly they lie in the buffer, which the segment shows already.
        if (start != _shown || length > Memory.Length)
        {
            Set(start, length);
        }

        return new ReadOnlySequence<byte>(this, 0, this, length);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        ((IDisposable)_view).Dispose();
        NativeMemory.AlignedFree(Buffer);
    }

    private void Set(byte* start, int length)
    {
        _shown = start;
        _view.Set(start, length);
        Memory = _view.Slice(0, length);
    }
}
