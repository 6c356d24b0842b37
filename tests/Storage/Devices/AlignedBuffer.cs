using System.Runtime.InteropServices;

namespace Strata.Tests.Storage.Devices;

/// <summary>Native memory at an address that every device accepts.</summary>
internal sealed unsafe class AlignedBuffer : IDisposable
{
    public const int AlignmentBytes = 4096;

    private readonly int _bytes;
    private byte* _pointer;

    public AlignedBuffer(int bytes)
    {
        _bytes = bytes;
        _pointer = (byte*)NativeMemory.AlignedAlloc((nuint)bytes, AlignmentBytes);
        Span.Clear();
    }

    public byte* Pointer => _pointer;

    public Span<byte> Span => new(_pointer, _bytes);

    /// <summary>Fills it with bytes that tell the offset and the seed.</summary>
    public AlignedBuffer Fill(int seed)
    {
        new Random(seed).NextBytes(Span);
        return this;
    }

    public void Dispose()
    {
        NativeMemory.AlignedFree(_pointer);
        _pointer = null;
    }
}
