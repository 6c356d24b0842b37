namespace Strata.Storage.Interests;

/// <summary>Who is told that one of certain keys changed.</summary>
public interface IChangeWatcher
{
    /// <summary>A key changed, or went. Called on any worker's thread, under the lease of the key's shard.</summary>
    void OnChange();
}
