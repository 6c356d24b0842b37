using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>Keys of one group of shards on their way from who reads a file to who loads them; filled by one, then
/// emptied by the other, in the same order.</summary>
internal sealed unsafe class LoadBlock : IDisposable
{
    private const int Alignment = 8;

    private readonly BufferPool _buffers;
    private NativeBlock _block;
    private MemoryCharge _charge;
    private int _length;
    private int _read;
    private int _ahead;

    /// <summary>An empty block.</summary>
    /// <param name="budget">What its memory is charged to.</param>
    public LoadBlock(MemoryBudget budget)
    {
        _buffers = budget.Buffers;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>The group of the shards; known when it is handed over.</summary>
    public int Group { get; set; }

    /// <summary>Whether there are no keys in it any more, or not yet.</summary>
    public bool IsEmpty => _read == _length;

    /// <summary>Adds a key; an empty block has room for any.</summary>
    /// <returns>False when there is no room.</returns>
    /// <exception cref="MemoryExhaustedException">The system gave no memory.</exception>
    public bool TryAdd(in LoadedKey key, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        var bytes = BytesOf(key);
        if (bytes > _block.Bytes - _length && (_length > 0 || !TryGrow(Math.Max(bytes, ServerLimits.LoadBlockBytes))))
        {
            return false;
        }

        var target = _block.Start + _length;
        *(LoadedKey*)target = key;
        name.CopyTo(new Span<byte>(target + sizeof(LoadedKey), key.NameBytes));
        value.CopyTo(new Span<byte>(target + sizeof(LoadedKey) + key.NameBytes, key.ValueBytes));
        _length += bytes;
        return true;
    }

    /// <summary>Takes the next key out.</summary>
    /// <param name="name">Its name, which the value follows; good until the block is cleared.</param>
    /// <returns>Null when there is none.</returns>
    public LoadedKey* TakeNext(out byte* name)
    {
        if (IsEmpty)
        {
            name = null;
            return null;
        }

        var key = (LoadedKey*)(_block.Start + _read);
        name = (byte*)(key + 1);
        _read += BytesOf(*key);
        return key;
    }

    /// <summary>Looks at the keys before they are taken, each once.</summary>
    /// <returns>Null when all were looked at.</returns>
    public LoadedKey* LookAhead()
    {
        if (_ahead == _length)
        {
            return null;
        }

        var key = (LoadedKey*)(_block.Start + _ahead);
        _ahead += BytesOf(*key);
        return key;
    }

    /// <summary>Forgets all keys. Memory beyond the usual is given back.</summary>
    public void Clear()
    {
        (_length, _read, _ahead) = (0, 0, 0);
        if (_block.Bytes > ServerLimits.LoadBlockBytes)
        {
            Dispose();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _buffers.Free(ref _block, ref _charge);

    private static int BytesOf(in LoadedKey key)
        => (sizeof(LoadedKey) + key.NameBytes + key.ValueBytes + Alignment - 1) & -Alignment;

    private bool TryGrow(int bytes)
    {
        try
        {
            _buffers.Resize(ref _block, ref _charge, bytes, fits: true);
            return true;
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException("the system gave no memory for what is loaded", exception);
        }
    }
}
