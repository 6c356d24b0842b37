using NUnit.Framework;
using Strata.Tests.Support;
using ReservedPort = Strata.Bench.Servers.ReservedPort;

namespace Strata.Tests.EndToEnd;

/// <summary>What is sent to otlp-endpoint.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class TelemetryTests
{
    [Test]
    public void Metrics_log_lines_and_slow_commands_are_sent([Values] bool isGrpc)
    {
        using var collector = TelemetryCollector.Start(isGrpc);
        using var server = Start(collector.Endpoint, isGrpc, "OTEL_RESOURCE_ATTRIBUTES=service.namespace=here");
        using var client = server.Connect();
        client.Call("CLIENT", "SETNAME", "somebody");
        client.Call("SET", "secret-key", "secret-value");
        var (metrics, traces, logs) = isGrpc
            ? ("MetricsService/Export", "TraceService/Export", "LogsService/Export")
            : ("/v1/metrics", "/v1/traces", "/v1/logs");
        WaitFor(server, () => collector.Has(
            metrics, "strata_commands_latencies_seconds_bucket", "strata_keyspace_hits", "service.name", "here"));
        WaitFor(server, () => collector.Has(
            traces, "db.system.name", "db.operation.name", "SET ? ?", "127.0.0.1", "somebody", "strata.slowlog.id"));
        WaitFor(server, () => collector.Has(logs, "Ready to accept connections"));
        Assert.That(collector.Has(traces, "secret"), Is.False);
    }

    [Test]
    public void A_collector_that_is_not_there_is_told_of_once_and_again_when_it_is()
    {
        using var port = ReservedPort.Take();
        using var server = Start($"http://127.0.0.1:{port.Number}", isGrpc: false);
        using var client = server.Connect();
        WaitFor(server, () => server.Output.Contains("Telemetry does not get to", StringComparison.Ordinal));
        Assert.That(client.Call("SET", "key", "value").Text, Is.EqualTo("OK"));
        using var collector = TelemetryCollector.Start(isGrpc: false, port.Number);
        WaitFor(server, () => server.Output.Contains("gets to", StringComparison.Ordinal)
            && server.Output.Contains("again", StringComparison.Ordinal));
        Assert.That(server.Output.Split("Telemetry does not get to"), Has.Length.EqualTo(2));
    }

    [TestCase("collector:4317")]
    [TestCase("ftp://collector:4317")]
    [TestCase("http://name:password@collector:4317")]
    public void What_is_no_endpoint_ends_the_start(string endpoint)
    {
        using var server = ServerProcess.Launch(ServerKind.Strata, "--otlp-endpoint", endpoint);
        Assert.That(server.WaitForExit(), Is.EqualTo(1), server.Output);
        Assert.That(() => server.Output, Does.Contain("http://host:port").After(Patience.Ms, 10));
    }

    private static ServerProcess Start(string endpoint, bool isGrpc, params string[] variables)
        => ServerProcess.Start(
            ServerKind.Strata,
            ["/usr/bin/env", "OTEL_METRIC_EXPORT_INTERVAL=300", .. variables, StrataProcess.Program()],
            [
                "--otlp-endpoint", endpoint, "--otlp-protocol", isGrpc ? "grpc" : "http/protobuf",
                "--slowlog-log-slower-than", "0",
            ]);

    private static void WaitFor(ServerProcess server, Func<bool> isThere)
        => Assert.That(SpinWait.SpinUntil(isThere, Patience.Ms), server.Output);
}
