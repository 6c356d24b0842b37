using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Tests.Support;
using ReservedPort = Strata.Bench.Servers.ReservedPort;

namespace Strata.Tests.EndToEnd;

/// <summary>The alerts and the dashboard of docs/observability, and /metrics, with Prometheus itself.</summary>
[TestFixture]
public sealed class PrometheusTests
{
    private static readonly Regex s_metric = new("strata_[a-z_]+", RegexOptions.CultureInvariant);
    private static readonly Regex s_suffix = new("_(bucket|sum|count)$", RegexOptions.CultureInvariant);

    private readonly HttpClient _http = new();
    private ReservedPort _metrics = null!;
    private ServerProcess _server = null!;

    private static string Alerts => RepositoryRoot.Combine("docs", "observability", "alerts.yml");

    private static string Dashboard => RepositoryRoot.Combine("docs", "observability", "grafana-dashboard.json");

    [OneTimeSetUp]
    public void Start()
    {
        _metrics = ReservedPort.Take();
        _server = StrataProcess.Start(
            "--metrics-port", Number(_metrics), "--storage-tier", "yes", "--appendonly", "yes", "--maxmemory", "64mb");
        using var client = _server.Connect();
        Assert.That(client.Call("SET", "key", "value").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("GET", "key").Text, Is.EqualTo("value"));
    }

    [OneTimeTearDown]
    public void Stop()
    {
        _server?.Dispose();
        _metrics.Dispose();
        _http.Dispose();
    }

    [Test]
    public void Promtool_takes_the_alerts_and_the_figures()
    {
        var (exitCode, output) = ProgramRun.Run(Program("promtool"), ["check", "rules", Alerts]);
        Assert.That(exitCode, Is.Zero, output);
        var figures = Path.GetTempFileName();
        try
        {
            File.WriteAllText(figures, Metrics());
            (_, output) = ProgramRun.Run("/bin/sh", ["-c", $"{Program("promtool")} check metrics <{figures}"]);
            var problems = output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Where(line => !line.Contains("_duration_sec ", StringComparison.Ordinal)); // The exporters' name.
            Assert.That(problems, Is.Empty);
        }
        finally
        {
            File.Delete(figures);
        }
    }

    [Test]
    public void All_figures_that_they_ask_for_are_there()
    {
        var families = Metrics().Split('\n')
            .Where(line => line.StartsWith("# TYPE ", StringComparison.Ordinal))
            .Select(line => line.Split(' ')[2])
            .ToHashSet();
        foreach (var file in new[] { Alerts, Dashboard })
        {
            var names = s_metric.Matches(File.ReadAllText(file)).Select(match => s_suffix.Replace(match.Value, ""));
            Assert.That(names.Distinct().Except(families), Is.Empty, file);
        }
    }

    [Test]
    public void Prometheus_answers_every_panel_and_knows_every_alert()
    {
        var folder = Directory.CreateTempSubdirectory("strata-prometheus-").FullName;
        using var port = ReservedPort.Take();
        var configuration = Path.Combine(folder, "prometheus.yml");
        File.WriteAllText(configuration, $$"""
            global: {scrape_interval: 200ms, evaluation_interval: 1s}
            rule_files: [{{Alerts}}]
            scrape_configs:
              - job_name: strata
                static_configs: [{targets: ["127.0.0.1:{{_metrics.Number}}"]}]
            """);
        try
        {
            using var prometheus = ProgramRun.Start(
                Program("prometheus"),
                [
                    $"--config.file={configuration}", $"--storage.tsdb.path={folder}/data",
                    $"--web.listen-address=127.0.0.1:{port.Number}",
                ]);
            Assert.That(
                () => Query(port, "rate(strata_commands_total{cmd=\"get\"}[1m])"),
                Is.Not.Empty.After(Patience.Ms, 100), prometheus.Output);
            foreach (var expression in Expressions())
            {
                Assert.That(() => Query(port, expression), Throws.Nothing, expression);
            }

            Assert.That(Query(port, "up{job=\"strata\"} == 1"), Has.Count.EqualTo(1));
            using var rules = JsonDocument.Parse(Get(port, "rules"));
            var alerts = rules.RootElement.GetProperty("data").GetProperty("groups")[0].GetProperty("rules");
            Assert.That(alerts.GetArrayLength(), Is.GreaterThan(10));
            Assert.That(alerts.EnumerateArray().Select(rule => rule.GetProperty("state").GetString()),
                Is.All.EqualTo("inactive"), "nothing is wrong");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static string Program(string name)
    {
        var found = ProgramRun.Find(name);
        if (found is null)
        {
            Assert.Ignore($"{name} isn't in PATH: install Prometheus to run this.");
        }

        return found!;
    }

    private static string Number(ReservedPort port) => port.Number.ToString(CultureInfo.InvariantCulture);

    /// <summary>What the panels of the dashboard ask for, with the variables filled in.</summary>
    private static List<string> Expressions()
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(Dashboard));
        var expressions = dashboard.RootElement.GetProperty("panels").EnumerateArray()
            .Where(panel => panel.TryGetProperty("targets", out _))
            .SelectMany(panel => panel.GetProperty("targets").EnumerateArray())
            .Select(target => target.GetProperty("expr").GetString()!
                .Replace("$instance", ".*", StringComparison.Ordinal)
                .Replace("$__rate_interval", "1m", StringComparison.Ordinal))
            .ToList();
        Assert.That(expressions, Has.Count.GreaterThan(30));
        return expressions;
    }

    private string Metrics() => _http.GetStringAsync(
        new Uri($"http://127.0.0.1:{_metrics.Number}/metrics")).GetAwaiter().GetResult();

    private string Get(ReservedPort port, string path)
        => _http.GetStringAsync(new Uri($"http://127.0.0.1:{port.Number}/api/v1/{path}")).GetAwaiter().GetResult();

    private List<string> Query(ReservedPort port, string expression)
    {
        try
        {
            using var answer = JsonDocument.Parse(Get(port, "query?query=" + Uri.EscapeDataString(expression)));
            return [.. answer.RootElement.GetProperty("data").GetProperty("result").EnumerateArray()
                .Select(result => result.ToString())];
        }
        catch (HttpRequestException exception) when (exception.StatusCode == null)
        {
            return []; // It does not listen yet.
        }
    }
}
