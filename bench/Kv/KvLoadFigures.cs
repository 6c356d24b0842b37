namespace Strata.Bench.Kv;

/// <summary>What the load took, and what the loaded keys take.</summary>
/// <param name="Took">Time, CPU and bytes written.</param>
/// <param name="MemoryBytes">What index and log hold in memory.</param>
/// <param name="DeviceBytes">What pages take on the device.</param>
internal readonly record struct KvLoadFigures(KvMoment Took, long MemoryBytes, long DeviceBytes);
