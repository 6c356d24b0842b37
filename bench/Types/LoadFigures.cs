using System.Text.Json;
using System.Text.Json.Serialization;
using Strata.Bench.Reports;
using Strata.Bench.Versus;
using static Strata.Bench.BenchException;

namespace Strata.Bench.Types;

/// <summary>What is used of the JSON that <c>strata-bench resp</c> prints.</summary>
internal sealed record LoadFigures(
    long Operations, double OperationsPerSecond, double Seconds, double P50Ms, double P99Ms, long Hits, long Misses,
    long IntegerSum, IReadOnlyDictionary<string, long> Errors)
{
    [JsonPropertyName("p99.9Ms")]
    public double P999Ms { get; init; }

    /// <exception cref="BenchException">The text is no such object.</exception>
    public static LoadFigures Parse(string json)
    {
        try
        {
            return JsonSerializer.Deserialize<LoadFigures>(json, BenchJson.Options)
                ?? throw new JsonException("it is null");
        }
        catch (JsonException e)
        {
            throw new BenchException($"The load printed no figures but: {ToolProcess.Tail(json)}", e);
        }
    }

    /// <summary>Sees that every reply was what the load is meant to get.</summary>
    /// <exception cref="BenchException">One was not: what was measured is something else.</exception>
    public void Check(TypeLoad load, string server)
    {
        CheckErrors(server);
        var operations = Operations / load.RequestsPerOperation;
        Require(operations > 0, $"{server} answered nothing to {load.Name}: see the server's log.");
        Require(Operations % load.RequestsPerOperation == 0, $"{server} answered parts of {load.Name}.");
        Require(load.Requests == 0 || Operations == load.Requests,
            $"{server} answered {Operations} of {load.Requests} requests of {load.Name}.");
        Require(Misses == 0, $"{server} did not find what {load.Name} asked for, {Misses} times.");
        Require(load.ValuesPerOperation is not { } values || Hits == values * operations,
            $"{server} answered {Hits} values to {operations} operations of {load.Name}.");
        Require(load.SumPerOperation is not { } sum || IntegerSum == sum * operations,
            $"{server} answered {operations} operations of {load.Name} with numbers of {IntegerSum} in all.");
    }

    /// <exception cref="BenchException">The server answered errors.</exception>
    public void CheckErrors(string server) =>
        Require(Errors.Count == 0, $"{server} answered: {string.Join("; ", Errors.Keys)}");
}
