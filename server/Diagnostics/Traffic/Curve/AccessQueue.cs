namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>Accesses that one worker has drawn, on their way to the simulation: it alone puts them in, and one other
/// thread takes them out. What finds no room is dropped.</summary>
internal sealed class AccessQueue
{
    private readonly SampledAccess[] _accesses;
    private uint _written;
    private uint _read;

    /// <summary>An empty queue.</summary>
    /// <param name="capacity">How many there may be, a power of two.</param>
    public AccessQueue(int capacity)
    {
        _accesses = new SampledAccess[capacity];
    }

    /// <summary>How many wait. Any thread.</summary>
    public int Count => (int)(Volatile.Read(ref _written) - Volatile.Read(ref _read));

    /// <summary>Whether more than half of the room is taken.</summary>
    public bool IsBusy => Count > _accesses.Length / 2;

    /// <summary>How many there may be.</summary>
    public int Capacity => _accesses.Length;

    /// <summary>Puts one in, if there is room.</summary>
    public void Add(in SampledAccess access)
    {
        var written = _written;
        if (written - Volatile.Read(ref _read) < (uint)_accesses.Length)
        {
            _accesses[written & (uint)(_accesses.Length - 1)] = access;
            Volatile.Write(ref _written, written + 1);
        }
    }

    /// <summary>Takes the oldest out.</summary>
    public bool TryTake(out SampledAccess access)
    {
        var read = _read;
        if (Volatile.Read(ref _written) == read)
        {
            access = default;
            return false;
        }

        access = _accesses[read & (uint)(_accesses.Length - 1)];
        Volatile.Write(ref _read, read + 1);
        return true;
    }
}
