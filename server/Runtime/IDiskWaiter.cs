namespace Strata.Server.Runtime;

/// <summary>Who has replies to send that tell of what the disk may not have yet. On its worker's thread.</summary>
internal interface IDiskWaiter
{
    /// <summary>The disk has the journal up to a batch.</summary>
    /// <returns>False when it must wait on.</returns>
    bool TryEndAwait(long durable);
}
