using System.Runtime.InteropServices;

namespace Strata.Storage.Memory;

/// <summary>Native memory for the length of a call, which nothing is charged for.</summary>
public unsafe ref struct NativeSpan : IDisposable
{
    private byte* _bytes;
    private MappedMemory? _mapping;

    /// <summary>Takes <paramref name="length"/> bytes, which hold anything.</summary>
    /// <exception cref="MemoryExhaustedException">The system gives no more.</exception>
    public NativeSpan(int length)
    {
        if (length >= Limits.LeastMappedBufferBytes && MappedMemory.TryMap(length) is { } mapping)
        {
            // The C library's heap might keep it.
            _mapping = mapping;
            Span = new Span<byte>(mapping.Start, length);
            return;
        }

        try
        {
            _bytes = (byte*)NativeMemory.Alloc((nuint)length);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no {length} bytes of memory", exception);
        }

        Span = new Span<byte>(_bytes, length);
    }

    /// <summary>The memory.</summary>
    public Span<byte> Span { get; private set; }

    /// <inheritdoc/>
    public void Dispose()
    {
        _mapping?.Dispose();
        _mapping = null;
        NativeMemory.Free(_bytes);
        _bytes = null;
        Span = default;
    }
}
