using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Network;

/// <summary>
/// Bytes of one connection that could not be dealt with at once: unfinished input, or output the socket did not take.
/// Contiguous, so that a command is parsed where it lies; grows by doubling as bytes arrive, and holds no memory while
/// it is empty. For a value so large that its pages are to be moved it goes over to <see cref="MappedMemory"/>, of
/// which it holds no more than it has room for. What it holds is charged to the budget.
/// </summary>
internal sealed unsafe class NativeBuffer : IDisposable
{
    private const int SmallestBytes = 1 << 10;

    private readonly MemoryBudget _budget;
    private NativeBlock _block;
    private byte* _buffer;
    private MappedMemory? _mapping;
    private MemoryCharge _charge;
    private long _capacity;
    private long _start;
    private long _end;

    // Of a block's bytes that were dealt with, those whose memory was given back.
    private long _releasedBytes;

    public NativeBuffer(MemoryBudget budget)
    {
        _budget = budget;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>The first byte not consumed.</summary>
    public byte* Start => _buffer + _start;

    /// <summary>Bytes not consumed.</summary>
    public long Length => _end - _start;

    /// <summary>Bytes of memory held.</summary>
    public long MemoryBytes => _charge.Bytes;

    public bool IsEmpty => _end == _start;

    /// <summary>The memory it lies in, if its pages can be moved; else null.</summary>
    public MappedMemory? Mapping => _mapping;

    /// <summary>Bytes that can be received behind what is held without room for what nobody expects: the rest of what
    /// it was mapped for, else any number.</summary>
    public long ExpectedRoom => _mapping == null ? long.MaxValue : _mapping.Bytes - _end;

    /// <summary>Adds bytes.</summary>
    public void Append(byte* bytes, long length)
    {
        Buffer.MemoryCopy(bytes, ReserveTail(length), length, length);
        Commit(length);
    }

    /// <summary>Takes over the memory that replies lie in, and frees it when they were dealt with. It must be empty.
    /// </summary>
    /// <param name="replies">The replies; they are written to other memory from here on.</param>
    /// <param name="consumed">Bytes that were dealt with, the first ones.</param>
    public void Adopt(ReplyWriter replies, long consumed)
    {
        Dispose();
        var length = replies.Length;
        var block = replies.Detach(ref _charge, out var start);
        _start = start + consumed;
        _end = start + (long)length;
        Use(block);
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
        else if (_mapping != null && _start >= Length)
        {
            Unmap();
        }
        else if (_start - _releasedBytes >= Limits.ReleasedAtOnceBytes && _block.Bytes > _budget.Buffers.MostIdleBytes)
        {
            _block.Release(_releasedBytes, _start - _releasedBytes); // All of it in one go would hold others up.
            _releasedBytes = _start;
        }
    }

    /// <summary>Goes over to mapped memory, if the system gives it: only the room for what arrives next takes
    /// memory and is charged.</summary>
    /// <param name="length">Bytes that what is not consumed will grow to.</param>
    /// <param name="offset">A place in it.</param>
    /// <param name="phase">The phase (<see cref="PageMove"/>) that its address is to have.</param>
    public void Map(long length, long offset, int phase)
    {
        var start = (phase - offset) & (MappedMemory.PageBytes - 1);
        if (MappedMemory.TryMap(start + length) is not { } mapping)
        {
            return;
        }

        var held = Length;
        mapping.Populate(start, held);
        Buffer.MemoryCopy(Start, mapping.Start + start, mapping.Bytes - start, held);
        _budget.Buffers.Free(ref _block, ref _charge);
        _mapping = mapping;
        _buffer = mapping.Start;
        _capacity = start + held;
        _charge.Set(_capacity);
        _start = start;
        _end = start + held;
    }

    /// <summary>Notes that the commands in the buffer are being executed: its memory goes with the last of them, so no
    /// key is evicted for its sake. Otherwise a value of half the memory limit would push out itself.</summary>
    /// <returns>What <see cref="EndLeaving"/> takes.</returns>
    public long BeginLeaving()
    {
        _budget.Leave(MemoryBytes);
        return MemoryBytes;
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
        if (_mapping != null)
        {
            _mapping.Dispose();
            _mapping = null;
            _charge.Set(0);
        }

        _budget.Buffers.Free(ref _block, ref _charge);
        _buffer = null;
        _capacity = 0;
        _start = 0;
        _end = 0;
    }

    private void MakeRoom(long length)
    {
        if (_mapping != null)
        {
            MakeMappedRoom(_mapping, _end + length);
            return;
        }

        if (_start > 0 && _start >= Length)
        {
            Buffer.MemoryCopy(Start, _buffer, Length, Length);
            _end -= _start;
            _start = 0;
        }

        if (_capacity - _end >= length)
        {
            return;
        }

        var capacity = Math.Max(BufferGrowth.Next(_capacity, _end + length), SmallestBytes);
        var block = _block;
        _budget.Buffers.Resize(ref block, ref _charge, capacity);
        Use(block);
    }

    /// <summary>Takes memory for so many of the mapped bytes, in steps.</summary>
    private void MakeMappedRoom(MappedMemory mapping, long bytes)
    {
        const long Step = ServerLimits.MaxReceiveBytes;
        if (mapping.Bytes < bytes)
        {
            mapping.Grow(BufferGrowth.Next(mapping.Bytes, bytes));
            _buffer = mapping.Start;
        }

        var capacity = Math.Min((bytes + Step - 1) & -Step, mapping.Bytes);
        _charge.Set(capacity);
        mapping.Populate(_capacity, capacity - _capacity);
        _capacity = capacity;
    }

    /// <summary>Goes back to ordinary memory with the little that is left.</summary>
    private void Unmap()
    {
        var held = Length;
        var block = _budget.Buffers.Allocate(held, fits: true);
        Buffer.MemoryCopy(Start, block.Start, held, held);
        _mapping!.Dispose();
        _mapping = null;
        _charge.Set(block.Bytes);
        Use(block);
        _start = 0;
        _end = held;
    }

    private void Use(in NativeBlock block)
    {
        _releasedBytes = 0;
        _block = block;
        _buffer = block.Start;
        _capacity = block.Bytes;
    }
}
