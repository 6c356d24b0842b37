using Strata.Storage.Devices;

namespace Strata.Tests.Storage.Devices;

/// <summary>All devices, each with segments and without.</summary>
internal static class DeviceCases
{
    public const int SegmentBytes = 1 << 20;

    private const int LatencyUs = 200;
    private const int QueueDepth = 128;

    public static IEnumerable<DeviceCase> All => Kinds.SelectMany(kind =>
        new[] { kind with { SegmentBytes = SegmentBytes }, kind with { SegmentBytes = long.MaxValue } });

    private static IEnumerable<DeviceCase> Kinds =>
    [
        new("memory", 0, (_, segmentBytes) => new MemoryDevice(segmentBytes)),
        new("memory with latency", 0, (_, segmentBytes) => new MemoryDevice(segmentBytes, LatencyUs)),
        new("null", 0, (_, segmentBytes) => new NullDevice(segmentBytes)) { KeepsBytes = false },
        new("simulated", 0, (_, segmentBytes) => new SimulatedDevice(1, segmentBytes)),
        new("simulated, out of order", 0, OpenReordering),
        OfFiles("io_uring", DeviceBackend.IoUring),
        OfFiles("libaio", DeviceBackend.Libaio),
        OfFiles("managed", DeviceBackend.Managed),
    ];

    private static DeviceCase OfFiles(string name, DeviceBackend backend) =>
        new(name, 0, (folder, segmentBytes) =>
            FileDevices.Open(backend, Path.Combine(folder, "log"), segmentBytes, QueueDepth))
        {
            Backend = backend,
        };

    private static SimulatedDevice OpenReordering(string folder, long segmentBytes)
    {
        var device = new SimulatedDevice(1, segmentBytes);
        device.Faults.DelayRate = 0.3;
        device.Faults.ReorderRate = 0.3;
        return device;
    }
}
