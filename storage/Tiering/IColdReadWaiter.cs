namespace Strata.Storage.Tiering;

/// <summary>Who waits for cold records.</summary>
public interface IColdReadWaiter
{
    /// <summary>All records of the set have been read, or cannot be. On the worker's thread.</summary>
    void OnColdReads();
}
