using System.Runtime.InteropServices;

namespace Strata.Storage.Memory;

/// <summary>Native memory for the length of a call.</summary>
internal unsafe ref struct NativeSpan : IDisposable
{
    private byte* _bytes;

    /// <summary>Takes <paramref name="length"/> bytes, which hold anything.</summary>
    /// <exception cref="MemoryExhaustedException">The system gives no more.</exception>
    public NativeSpan(int length)
    {
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

    public Span<byte> Span { get; private set; }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.Free(_bytes);
        _bytes = null;
        Span = default;
    }
}
