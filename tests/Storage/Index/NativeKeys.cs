using System.Runtime.InteropServices;
using System.Text;
using Strata.Storage.Index;

namespace Strata.Tests.Storage.Index;

/// <summary>Key bytes in memory that does not move, as the receive buffer's are. A key is good until the same instance
/// makes the next one.</summary>
internal sealed unsafe class NativeKeys : IDisposable
{
    private readonly byte* _buffer;
    private readonly int _capacity;

    public NativeKeys(int capacity = 1 << 20)
    {
        _capacity = capacity;
        _buffer = (byte*)NativeMemory.Alloc((nuint)capacity);
    }

    public Key Make(ReadOnlySpan<byte> name, byte database = 0)
    {
        name.CopyTo(new Span<byte>(_buffer, _capacity));
        return new Key(_buffer, name.Length, database);
    }

    public Key Make(string name, byte database = 0)
        => new(_buffer, Encoding.UTF8.GetBytes(name, new Span<byte>(_buffer, _capacity)), database);

    /// <summary>Key number <paramref name="number"/>, padded to <paramref name="length"/> bytes; allocates nothing.
    /// </summary>
    public Key Make(long number, int length, byte database = 0)
    {
        var name = new Span<byte>(_buffer, length);
        name.Fill((byte)'k');
        var digits = number;
        for (var i = 0; i < length && digits > 0; i++)
        {
            name[i] = (byte)('0' + (digits % 10));
            digits /= 10;
        }

        return new Key(_buffer, length, database);
    }

    public void Dispose() => NativeMemory.Free(_buffer);
}
