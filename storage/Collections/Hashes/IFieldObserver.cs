using Strata.Storage.Log;

namespace Strata.Storage.Collections.Hashes;

/// <summary>Is told of fields that expire. Called under the shard's lease, on the thread that holds it; it must not
/// change the shard, and must not throw.</summary>
public interface IFieldObserver
{
    /// <summary>The time of some of a hash's fields has come, and they are gone.</summary>
    /// <param name="record">The hash.</param>
    /// <param name="isEmpty">Whether they were the last ones: the key is about to go, too.</param>
    void OnFieldsExpired(in Record record, bool isEmpty);
}
