namespace Strata.Server.Execution;

/// <summary>Data that is being loaded by all workers, while all leases are held.</summary>
internal interface IDataLoad
{
    /// <summary>Loads some; on any worker's thread.</summary>
    /// <returns>Whether there is more to do at once.</returns>
    bool GoOn(ExecutionWorker worker);
}
