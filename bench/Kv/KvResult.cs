using System.Text.Json.Serialization;

namespace Strata.Bench.Kv;

/// <summary>What one run on the storage library measured. Latencies are from drawing an operation to its end, in
/// microseconds; operations and latencies are those of the measurement alone.</summary>
public sealed record KvResult
{
    /// <summary>The device, with the backend that was taken and why.</summary>
    public required string Device { get; init; }

    public required long Keys { get; init; }

    public required int KeyBytes { get; init; }

    public required int ValueBytes { get; init; }

    public required string Distribution { get; init; }

    public required int Shards { get; init; }

    public required int Threads { get; init; }

    public required int LoadThreads { get; init; }

    public required int Depth { get; init; }

    public required long LogMemoryBytes { get; init; }

    public required double LoadSeconds { get; init; }

    public required double LoadOpsPerSecond { get; init; }

    public required double LoadCpuUsPerOp { get; init; }

    /// <summary>What index and log held in memory when all keys were loaded.</summary>
    public required long MemoryBytes { get; init; }

    /// <summary>What pages took on the device then.</summary>
    public required long DeviceBytes { get; init; }

    /// <summary>Both together, for each key.</summary>
    public required double BytesPerKey { get; init; }

    public required double Seconds { get; init; }

    /// <summary>Operations that succeeded.</summary>
    public required long Operations { get; init; }

    public required long Reads { get; init; }

    public required long Upserts { get; init; }

    public required long Rmws { get; init; }

    public required long Deletes { get; init; }

    /// <summary>Operations whose key was not there.</summary>
    public required long Missing { get; init; }

    public required double OpsPerSecond { get; init; }

    /// <summary>Records read from the device.</summary>
    public required long ColdReads { get; init; }

    public required double ColdReadsPerSecond { get; init; }

    /// <summary>Those of them that took a second read.</summary>
    public required long SecondReads { get; init; }

    /// <summary>What was written to the device, 10^6 bytes a second.</summary>
    public required double WrittenMbPerSecond { get; init; }

    /// <summary>User and system time of the whole process while measuring, per operation, microseconds.</summary>
    public required double CpuUsPerOp { get; init; }

    public required double MeanUs { get; init; }

    public required double P50Us { get; init; }

    public required double P90Us { get; init; }

    public required double P99Us { get; init; }

    [JsonPropertyName("p99.9Us")]
    public required double P999Us { get; init; }

    public required double MaxUs { get; init; }

    /// <summary>Managed bytes that the threads allocated while measuring.</summary>
    public required long AllocatedBytes { get; init; }

    /// <summary>What was read at any time, the load included, and was not what had been written.</summary>
    public required long Mismatches { get; init; }

    /// <summary>The first of it, in words.</summary>
    public required string? FirstMismatch { get; init; }

    /// <summary>Failed operations by text.</summary>
    public required IReadOnlyDictionary<string, long> Errors { get; init; }
}
