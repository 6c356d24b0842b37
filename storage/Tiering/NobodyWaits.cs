namespace Strata.Storage.Tiering;

/// <summary>Nobody is to be told that records have been read: who waits does so on the thread.</summary>
internal sealed class NobodyWaits : IColdReadWaiter
{
    public static NobodyWaits Instance { get; } = new();

    /// <inheritdoc/>
    public void OnColdReads()
    {
    }
}
