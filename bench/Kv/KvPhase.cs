namespace Strata.Bench.Kv;

/// <summary>Where a run stands.</summary>
internal enum KvPhase
{
    /// <summary>Every key is written once, in order.</summary>
    Loading,

    /// <summary>Operations run and are not counted.</summary>
    WarmUp,

    /// <summary>They are counted.</summary>
    Measuring,

    /// <summary>No more are begun.</summary>
    Stopping,
}
