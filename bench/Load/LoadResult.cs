using System.Text.Json.Serialization;

namespace Strata.Bench.Load;

/// <summary>What one load measured. An operation is one request, whatever the number of its keys; latencies are from
/// the batch's first byte handed to the socket to the reply read, in milliseconds.</summary>
public sealed record LoadResult
{
    public required string Operation { get; init; }

    public required long Operations { get; init; }

    public required double Seconds { get; init; }

    public required double OperationsPerSecond { get; init; }

    public required double MeanMs { get; init; }

    public required double P50Ms { get; init; }

    public required double P90Ms { get; init; }

    public required double P99Ms { get; init; }

    [JsonPropertyName("p99.9Ms")]
    public required double P999Ms { get; init; }

    public required double MaxMs { get; init; }

    public required long Hits { get; init; }

    public required long Misses { get; init; }

    /// <summary>Sum of the integers among the replies and in them: how much was added, say, or how many received.
    /// </summary>
    public required long IntegerSum { get; init; }

    /// <summary>Error replies by their text; they are operations too.</summary>
    public required IReadOnlyDictionary<string, long> Errors { get; init; }
}
