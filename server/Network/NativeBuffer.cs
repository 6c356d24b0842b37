using System.Runtime.InteropServices;
using Strata.Storage.Memory;

namespace Strata.Server.Network;

/// <summary>
/// Bytes of one connection that could not be dealt with at once: unfinished input, or output the socket did not take.
/// Contiguous, so that a command is parsed where it lies; grows by doubling as bytes arrive, and holds no memory while
/// it is empty. What it holds is charged to the budget.
/// </summary>
internal sealed unsafe class NativeBuffer : IDisposable
{
    private const int SmallestBytes = 1 << 10;

    private readonly MemoryBudget _budget;
    private byte* _buffer;
    private long _capacity;
    private long _start;
    private long _end;

    public NativeBuffer(MemoryBudget budget)
    {
        _budget = budget;
    }

    /// <summary>The first byte not consumed.</summary>
    public byte* Start => _buffer + _start;

    /// <summary>Bytes not consumed.</summary>
    public long Length => _end - _start;

    /// <summary>Bytes of memory held.</summary>
    public long Capacity => _capacity;

    public bool IsEmpty => _end == _start;

    /// <summary>Adds bytes.</summary>
    public void Append(byte* bytes, long length)
    {
        Buffer.MemoryCopy(bytes, ReserveTail(length), length, length);
        _end += length;
    }

    /// <summary>Room for at least <paramref name="length"/> bytes behind what is held.</summary>
    public byte* ReserveTail(long length)
    {
        if (_capacity - _end < length)
        {
            MakeRoom(length);
        }

        return _buffer + _end;
    }

    /// <summary>Bytes that fit behind what is held.</summary>
    public long TailRoom => _capacity - _end;

    /// <summary>Bytes were written to the tail.</summary>
    public void Commit(long length) => _end += length;

    /// <summary>Bytes were dealt with. When none are left the memory is given back.</summary>
    public void Consume(long length)
    {
        _start += length;
        if (_start == _end)
        {
            Dispose();
        }
    }

    /// <summary>Notes that the commands in the buffer are being executed: its memory goes with the last of them, so no
    /// key is evicted for its sake. Otherwise a value of half the memory limit would push out itself.</summary>
    /// <returns>What <see cref="EndLeaving"/> takes.</returns>
    public long BeginLeaving()
    {
        _budget.Leave(_capacity);
        return _capacity;
    }

    /// <summary>What is still held counts again.</summary>
    public void EndLeaving(long leavingBytes) => _budget.Leave(-leavingBytes);

    /// <summary>Forgets all bytes, and gives back memory of more than <paramref name="keptBytes"/>.</summary>
    public void Clear(long keptBytes)
    {
        if (_capacity > keptBytes)
        {
            Dispose();
            return;
        }

        _start = 0;
        _end = 0;
    }

    /// <summary>Gives the memory back.</summary>
    public void Dispose()
    {
        NativeMemory.Free(_buffer);
        _buffer = null;
        _budget.Charge(-_capacity);
        _capacity = 0;
        _start = 0;
        _end = 0;
    }

    private void MakeRoom(long length)
    {
        if (_start > 0)
        {
            Buffer.MemoryCopy(Start, _buffer, Length, Length);
            _end -= _start;
            _start = 0;
        }

        if (_capacity - _end >= length)
        {
            return;
        }

        var capacity = Math.Max(Math.Max(_capacity * 2, _end + length), SmallestBytes);
        _buffer = (byte*)NativeMemory.Realloc(_buffer, (nuint)capacity);
        _budget.Charge(capacity - _capacity);
        _capacity = capacity;
    }
}
