using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Sharding;

/// <summary>Is told of keys that come or go without a command saying so. Called under the shard's lease, on the thread
/// that holds it; it must not change the shard, and must not throw.</summary>
public interface IKeyObserver
{
    /// <summary>A key's time has come; its record is about to go.</summary>
    void OnExpired(in Record record);

    /// <summary>A key is about to be evicted.</summary>
    void OnEvicted(in Record record);

    /// <summary>A key that was not there has been given a record.</summary>
    void OnNew(in Key key);
}
