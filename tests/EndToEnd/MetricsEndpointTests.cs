using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What metrics-port answers.</summary>
[TestFixture]
internal sealed class MetricsEndpointTests : MetricsPortFixture
{
    private static readonly Regex s_name = new("^[a-z_]+$", RegexOptions.CultureInvariant);

    [Test]
    public void Figures_are_those_of_info()
    {
        using var client = Start("--storage-tier", "yes", "--maxmemory", "64mb");
        for (var i = 0; i < 10; i++)
        {
            _ = client.Call("SET", $"key:{i}", "v");
            _ = client.Call("GET", $"key:{i}");
        }

        _ = client.Call("GET", "nothing");
        _ = client.Call("nonsense");
        var figures = Parse(Get("/metrics").Body);
        Assert.Multiple(() =>
        {
            Assert.That(figures["strata_keyspace_hits_total"], Is.EqualTo(10));
            Assert.That(figures["strata_keyspace_misses_total"], Is.EqualTo(1));
            Assert.That(figures["redis_keyspace_hits_total"], Is.EqualTo(10));
            Assert.That(figures["redis_db_keys{db=\"db0\"}"], Is.EqualTo(10));
            Assert.That(figures["redis_commands_total{cmd=\"set\"}"], Is.EqualTo(10));
            Assert.That(figures["redis_errors_total{err=\"ERR\"}"], Is.EqualTo(1));
            Assert.That(figures["strata_commands_latencies_seconds_count{cmd=\"get\"}"], Is.EqualTo(11));
            Assert.That(figures["strata_commands_latencies_seconds_bucket{cmd=\"get\",le=\"+Inf\"}"], Is.EqualTo(11));
            Assert.That(figures["redis_memory_max_bytes"], Is.EqualTo(64 << 20));
            Assert.That(figures["redis_connected_clients"], Is.EqualTo(1));
            Assert.That(figures["strata_tier_last_write_errno"], Is.Zero);
            Assert.That(figures["strata_tier_request_duration_seconds_count{operation=\"read\"}"], Is.Zero);
            Assert.That(figures["redis_up"], Is.EqualTo(1));
        });
    }

    /// <summary>RESETSTAT is for people: a counter that went back would look like a start of the server.</summary>
    [Test]
    public void Counters_only_grow()
    {
        using var client = Start();
        _ = client.Call("GET", "nothing");
        Assert.That(client.Call("CONFIG", "RESETSTAT").Text, Is.EqualTo("OK"));
        Assert.That(Parse(Get("/metrics").Body)["strata_keyspace_misses_total"], Is.EqualTo(1));
    }

    /// <summary>It is asked each second: the log is for what an operator is to know.</summary>
    [Test]
    public void What_is_asked_for_does_not_stand_in_the_log()
    {
        using var client = Start("--loglevel", "debug");
        _ = Get("/metrics");
        _ = Get("/healthz");
        client.Send("SHUTDOWN", "NOSAVE");
        Assert.That(Server!.WaitForExit(), Is.Zero);
        Assert.That(Server.Output, Does.Contain($"port {Port.Number}").And.Not.Contain("/metrics")
            .And.Not.Contain("Hosting environment"));
    }

    [Test]
    public void Each_family_stands_once_with_its_samples_behind_it()
    {
        using var client = Start("--storage-tier", "yes");
        _ = client.Call("SET", "key", "v");
        HashSet<string> families = [];
        var family = "";
        foreach (var line in Get("/metrics").Body.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (line.StartsWith("# TYPE ", StringComparison.Ordinal))
            {
                family = line.Split(' ')[2];
                Assert.That(families.Add(family), family);
                Assert.That(s_name.IsMatch(family), family);
            }
            else if (line[0] != '#')
            {
                Assert.That(line, Does.StartWith(family));
            }
        }

        Assert.That(families, Has.Count.GreaterThan(100));
    }

    [Test]
    public void Open_metrics_where_that_is_asked_for()
    {
        using var client = Start();
        var reply = Get("/metrics", accept: "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
        Assert.That(reply.Type, Does.StartWith("application/openmetrics-text"));
        Assert.That(reply.Body, Does.EndWith("# EOF\n"));
        Assert.That(reply.Body, Does.Contain("# TYPE strata_keyspace_hits counter\nstrata_keyspace_hits_total "));
    }

    [TestCase("/healthz", HttpStatusCode.OK)]
    [TestCase("/readyz", HttpStatusCode.OK)]
    [TestCase("/nonsense", HttpStatusCode.NotFound)]
    public void Paths(string path, HttpStatusCode status)
    {
        using var client = Start();
        Assert.That(Get(path).Status, Is.EqualTo(status));
    }

    [TestCase(null, HttpStatusCode.Unauthorized)]
    [TestCase("default:wrong", HttpStatusCode.Unauthorized)]
    [TestCase("default:secret", HttpStatusCode.OK)]
    [TestCase("watcher:w", HttpStatusCode.OK)]
    [TestCase("reader:r", HttpStatusCode.Unauthorized)]
    [TestCase("off:o", HttpStatusCode.Unauthorized)]
    [TestCase("nobody:n", HttpStatusCode.Unauthorized)]
    public void Metrics_ask_for_a_password_where_clients_need_one(string? credentials, HttpStatusCode status)
    {
        using var client = Start("--requirepass", "secret");
        _ = client.Call("AUTH", "secret");
        Assert.That(client.Call("ACL", "SETUSER", "watcher", "on", ">w", "+info").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("ACL", "SETUSER", "reader", "on", ">r", "~*", "+@read").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("ACL", "SETUSER", "off", ">o", "+@all").Text, Is.EqualTo("OK"));
        Assert.That(Get("/metrics", credentials).Status, Is.EqualTo(status));
        Assert.That(Get("/healthz").Status, Is.EqualTo(HttpStatusCode.OK), "probes need none");
    }

    /// <summary>More connections than may be are closed, requests without an end are given up, and clients are served
    /// all the while.</summary>
    [Test]
    public void Who_keeps_connections_holds_nobody_up()
    {
        using var client = Start();
        List<Socket> idle = [];
        for (var i = 0; i < 40; i++)
        {
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            socket.Connect(IPAddress.Loopback, Port.Number);
            _ = socket.Send("GET /metrics HTTP/1.1\r\nHost: x\r\nX-Endless: "u8);
            idle.Add(socket);
        }

        Assert.That(client.Call("SET", "key", "v").Text, Is.EqualTo("OK"));
        idle.ForEach(socket => socket.Dispose());
        Assert.That(() => Get("/healthz").Status, Is.EqualTo(HttpStatusCode.OK).After(Patience.Ms, 50));
    }

    [Test]
    public void A_port_that_is_taken_ends_the_start()
    {
        using var listener = new TcpListener(IPAddress.Loopback, Port.Number);
        listener.Start();
        using var server = ServerProcess.Launch(
            ServerKind.Strata, "--metrics-port", Port.Number.ToString(CultureInfo.InvariantCulture));
        Assert.That(server.WaitForExit(), Is.EqualTo(2));
        Assert.That(() => server.Output, Does.Contain("Give another metrics-port").After(Patience.Ms, 10));
    }

    private (HttpStatusCode Status, string? Type, string Body) Get(
        string path, string? credentials = null, string? accept = null)
    {
        using var request = Ask(path, credentials);
        if (accept != null)
        {
            request.Headers.Add("Accept", accept);
        }

        using var response = Http.Send(request);
        using var reader = new StreamReader(response.Content.ReadAsStream());
        return (response.StatusCode, response.Content.Headers.ContentType?.ToString(), reader.ReadToEnd());
    }

    private static Dictionary<string, double> Parse(string text)
        => text.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Where(line => line[0] != '#')
            .Select(line => line.Split(' '))
            .ToDictionary(words => words[0], words => double.Parse(words[1], CultureInfo.InvariantCulture));
}
