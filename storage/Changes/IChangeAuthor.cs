namespace Strata.Storage.Changes;

/// <summary>Who changes keys by commands. What expiry, eviction and upkeep change has no author.</summary>
public interface IChangeAuthor
{
    /// <summary>The author's number among all clients.</summary>
    long Id { get; }
}
