using Strata.Storage.Log;

namespace Strata.Storage.Interests;

/// <summary>Who waits until one of certain keys has a value of a type.</summary>
public interface IKeyWaiter
{
    /// <summary>The type that is waited for.</summary>
    RecordType Type { get; }

    /// <summary>A key may have what is waited for: the waiter looks again later, on its own thread. Called on any
    /// worker's thread, under the lease of the key's shard.</summary>
    void Wake();
}
