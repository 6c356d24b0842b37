namespace Strata.Bench.Device;

/// <summary>Where a run stands.</summary>
internal enum DevicePhase
{
    /// <summary>Requests run and are not counted.</summary>
    WarmUp,

    /// <summary>They are counted.</summary>
    Measuring,

    /// <summary>No more are started.</summary>
    Stopping,
}
