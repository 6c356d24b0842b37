namespace Strata.Server.Runtime;

/// <summary>Who has replies to send that tell of what the disk may not have yet. On its worker's thread.</summary>
internal interface IDiskWaiter
{
    /// <summary>More of the journal is on the disk, or need not be waited for.</summary>
    /// <returns>False when it must wait on.</returns>
    bool TryEndAwait(Durability durability);
}
