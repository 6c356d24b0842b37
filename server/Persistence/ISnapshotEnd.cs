namespace Strata.Server.Persistence;

/// <summary>Is told what a snapshot has come to.</summary>
internal interface ISnapshotEnd
{
    /// <summary>It has ended. On the first worker's thread, without a lease.</summary>
    void OnEnded(SnapshotOutcome outcome);
}
