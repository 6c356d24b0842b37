namespace Strata.Storage.Snapshot;

/// <summary>What a shard's part of a snapshot has come to.</summary>
internal enum StepResult
{
    /// <summary>There is more to do at once.</summary>
    More,

    /// <summary>It waits for the device, or until some of what it has given is written.</summary>
    Waits,

    /// <summary>The shard has given all it has, or has given up.</summary>
    Done,
}
