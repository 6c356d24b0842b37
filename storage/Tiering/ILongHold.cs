namespace Strata.Storage.Tiering;

/// <summary>Who holds the leases of all shards for long, as while data is loaded, and lets single shards be used
/// meanwhile: what takes many steps would stand still else, and with it the memory that it lets go.</summary>
public interface ILongHold
{
    /// <summary>Takes the use of a shard, as its lease is taken. Any thread.</summary>
    /// <returns>False while somebody else uses it, or when the leases are about to be given back.</returns>
    bool TryUse(TieredStore store);

    /// <summary>Gives it back.</summary>
    void EndUse(TieredStore store);
}
