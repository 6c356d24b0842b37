using Strata.Storage.Index;

namespace Strata.Server.Commands.Model;

/// <summary>The shards that a command needs.</summary>
internal interface IShardSet
{
    /// <summary>Adds the shard of a key, and the key to those that are looked up before the command changes anything.
    /// </summary>
    void Add(in Key key);

    /// <summary>Adds a shard by its number.</summary>
    void Add(int shard);

    /// <summary>Adds all shards.</summary>
    void AddAll();
}
