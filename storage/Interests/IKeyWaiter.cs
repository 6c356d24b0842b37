using Strata.Storage.Log;

namespace Strata.Storage.Interests;

/// <summary>Who waits until one of certain keys has a value of a type.</summary>
public interface IKeyWaiter
{
    /// <summary>The type that is waited for.</summary>
    RecordType Type { get; }

    /// <summary>Of who waits for a stream's entries for a group, a number that stands for the group; 0 for others. One
    /// of
    /// a group is woken at a time, as an entry is given to one alone, and all of them when the key goes. Of those who
    /// read
    /// streams without a group all are woken.</summary>
    ulong Group => 0;

    /// <summary>Its number among all who ever waited: lower for who came before.</summary>
    long Arrival => 0;

    /// <summary>As which one it was woken, by one transaction or script together with others (<see cref="Waking"/>),
    /// until it has had its turn; 0 for none.</summary>
    long WokenAs => 0;

    /// <summary>A key may have what is waited for: the waiter looks again later, on its own thread. Called on any
    /// worker's thread, under the lease of the key's shard.</summary>
    void Wake();

    /// <summary>The same, by a change of a key that may be one of several: those who were woken before have their turn
    /// first. The leases of both keys' shards are held.</summary>
    /// <param name="number">As which one it is woken.</param>
    /// <param name="at">The key, as it waits for it.</param>
    /// <param name="before">Who was woken last before; null for nobody.</param>
    void WakeAs(long number, AwaitedKey at, AwaitedKey? before) => Wake();
}
