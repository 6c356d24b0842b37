using System.Runtime.CompilerServices;

namespace Strata.Storage.Log;

/// <summary>
/// The values of a log that are sent to clients from where they lie, one a worker at most, from before its reader has
/// made sure that it is what it takes it for until the kernel has copied it: that long it is not changed in place.
/// Its memory is kept by the worker's note that it reads (<see cref="Memory.Quiescence"/>).
/// A reader lends first and looks at the shard's version afterwards; who changes something takes the lease first, which
/// changes the version, and looks for loans afterwards: so one of them sees the other.
/// </summary>
public sealed class ValueLoans(int workers)
{
    private readonly ulong[] _addresses = new ulong[workers];
    private int _count;
    private long _given;

    /// <summary>Loans since the log was made.</summary>
    internal long Given => Interlocked.Read(ref _given);

    /// <summary>Whether the record at an address is lent. Under the lease.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Contains(ulong address) => Volatile.Read(ref _count) != 0 && IsLent(address);

    /// <summary>Lends the record at an address to a worker, which has borrowed none.</summary>
    public void Begin(int worker, ulong address)
    {
        Volatile.Write(ref _addresses[worker], address);
        Interlocked.Increment(ref _given);
        Interlocked.Increment(ref _count);
    }

    /// <summary>A worker has no further need of what was lent to it.</summary>
    public void End(int worker)
    {
        Volatile.Write(ref _addresses[worker], 0);
        Interlocked.Decrement(ref _count);
    }

    private bool IsLent(ulong address)
    {
        foreach (ref var lent in _addresses.AsSpan())
        {
            if (Volatile.Read(ref lent) == address)
            {
                return true;
            }
        }

        return false;
    }
}
