using System.Text.Json.Serialization;

namespace Strata.Bench.Device;

/// <summary>What one run on a device measured. Only requests that succeeded count, as operations and in the latencies;
/// a latency is from handing a request to the channel to its end, in microseconds.</summary>
public sealed record DeviceResult
{
    /// <summary>The device, with the backend that was taken and why.</summary>
    public required string Device { get; init; }

    public required int BlockBytes { get; init; }

    public required int Depth { get; init; }

    public required int Threads { get; init; }

    public required double Seconds { get; init; }

    public required long Operations { get; init; }

    public required long Reads { get; init; }

    public required long Writes { get; init; }

    public required double Iops { get; init; }

    public required double MbPerSecond { get; init; }

    /// <summary>User and system time of the whole process while measuring, per operation, microseconds.</summary>
    public required double CpuUsPerOp { get; init; }

    public required double MeanUs { get; init; }

    public required double P50Us { get; init; }

    public required double P90Us { get; init; }

    public required double P99Us { get; init; }

    [JsonPropertyName("p99.9Us")]
    public required double P999Us { get; init; }

    public required double MaxUs { get; init; }

    /// <summary>Failed requests by errno and text.</summary>
    public required IReadOnlyDictionary<string, long> Errors { get; init; }
}
