using System.Buffers;

namespace Strata.Storage.Memory;

/// <summary>Native memory as what takes <see cref="Memory{T}"/> wants it. Whoever owns the memory says where it is, and
/// sees to it that nobody uses it longer.</summary>
public sealed unsafe class NativeMemoryView : MemoryManager<byte>
{
    private byte* _start;
    private int _length;

    /// <summary>Points the view at other memory.</summary>
    /// <param name="start">The first byte.</param>
    /// <param name="length">Bytes.</param>
    public void Set(byte* start, int length)
    {
        _start = start;
        _length = length;
    }

    /// <summary>A part of the memory.</summary>
    /// <param name="start">Bytes from its start on.</param>
    /// <param name="length">Bytes.</param>
    public Memory<byte> Slice(int start, int length) => CreateMemory(start, length);

    /// <inheritdoc/>
    public override Span<byte> GetSpan() => new(_start, _length);

    /// <inheritdoc/>
    public override MemoryHandle Pin(int elementIndex = 0) => new(_start + elementIndex);

    /// <inheritdoc/>
    public override void Unpin()
    {
        // It is not the collector's memory.
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        // It is its owner's to free.
    }
}
