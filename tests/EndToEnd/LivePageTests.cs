using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Server;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>The live page and its stream, without a browser.</summary>
[TestFixture]
internal sealed class LivePageTests : MetricsPortFixture
{
    private const int MostBytes = 150_000;

    [Test]
    public void The_page_is_one_small_document_that_names_nobody_else()
    {
        using var client = Start();
        using var response = Open("/");
        var page = response.Content.ReadAsStringAsync().Result;
        Assert.Multiple(() =>
        {
            Assert.That(response.StatusCode, Is.EqualTo(HttpStatusCode.OK));
            Assert.That(response.Content.Headers.ContentType?.ToString(), Is.EqualTo("text/html; charset=utf-8"));
            Assert.That(Encoding.UTF8.GetByteCount(page), Is.InRange(10_000, MostBytes));
            Assert.That(page, Does.Not.Contain("://").And.Not.Contain("src=").And.Not.Contain("@import"));
            Assert.That(Regex.IsMatch(page, @"<[^>]* on[a-z]+\s*="), Is.False, "no handler stands in the markup");
            Assert.That(page, Does.Not.Contain("innerHTML").And.Not.Contain("insertAdjacent"));
        });
    }

    /// <summary>A policy that fits: what the page has is allowed by its hash, and nothing else is.</summary>
    [Test]
    public void The_policy_allows_this_script_and_style_alone()
    {
        using var client = Start();
        using var response = Open("/");
        var page = response.Content.ReadAsStringAsync().Result;
        var policy = response.Headers.GetValues("Content-Security-Policy").Single();
        Assert.That(policy, Does.StartWith("default-src 'none'; ").And.Contain("connect-src 'self'"));
        Assert.That(policy, Does.Not.Contain("unsafe").And.Not.Contain("*"));
        foreach (var element in new[] { "script", "style" })
        {
            var text = Regex.Match(page, $"<{element}>(.*?)</{element}>", RegexOptions.Singleline).Groups[1].Value;
            var hash = Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
            Assert.That(policy, Does.Contain($"{element}-src 'sha256-{hash}'"));
        }
    }

    [TestCase("/")]
    [TestCase("/live")]
    public void It_asks_for_a_password_where_metrics_do(string path)
    {
        using var client = Start("--requirepass", "secret");
        _ = client.Call("AUTH", "secret");
        Assert.That(client.Call("ACL", "SETUSER", "reader", "on", ">r", "~*", "+@read").Text, Is.EqualTo("OK"));
        foreach (var credentials in new[] { null, "default:wrong", "reader:r", "nobody:n" })
        {
            using var refused = Open(path, credentials);
            Assert.That(refused.StatusCode, Is.EqualTo(HttpStatusCode.Unauthorized), credentials);
            Assert.That(refused.Headers.WwwAuthenticate.Single().Scheme, Is.EqualTo("Basic"));
        }

        using var allowed = Open(path, "default:secret");
        Assert.That(allowed.StatusCode, Is.EqualTo(HttpStatusCode.OK));
    }

    [Test]
    public void Figures_are_those_of_info()
    {
        using var client = Start("--storage-tier", "yes", "--maxmemory", "64mb");
        using var response = Open("/live");
        Assert.That(response.Content.Headers.ContentType?.ToString(), Is.EqualTo("text/event-stream"));
        using var events = new StreamReader(response.Content.ReadAsStream());
        _ = Next(events);
        for (var i = 0; i < 10; i++)
        {
            _ = client.Call("SET", $"key:{i}", "v");
            _ = client.Call("GET", $"key:{i}");
        }

        _ = client.Call("GET", "nothing");
        var seen = Next(events, document => Figure(document, "keyspace_misses") == 1);
        Assert.Multiple(() =>
        {
            Assert.That(Figure(seen, "keyspace_hits"), Is.EqualTo(Number(client, "stats", "keyspace_hits")));
            Assert.That(Figure(seen, "connected_clients"), Is.EqualTo(Number(client, "clients", "connected_clients")));
            Assert.That(Figure(seen, "memory_max_bytes"), Is.EqualTo(Number(client, "memory", "maxmemory")));
            Assert.That(Figure(seen, "memory_index_bytes"), Is.EqualTo(Number(client, "memory", "index_bytes")));
            Assert.That(Figure(seen, "tier_cold_pages"), Is.Zero);
            Assert.That(seen.GetProperty("parts").GetProperty("shard_keys").EnumerateArray()
                .Sum(keys => keys.GetInt32()), Is.EqualTo(10));
            Assert.That(seen.GetProperty("seconds").GetDouble(), Is.Positive);
            Assert.That(seen.GetProperty("latency").GetProperty("p99").GetDouble(), Is.Positive);
        });
    }

    /// <summary>What the disks took since the look before.</summary>
    [Test]
    public void Latencies_of_disks_are_of_the_last_second()
    {
        using var client = Start("--appendonly", "yes", "--appendfsync", "always", "--storage-tier", "yes");
        using var response = Open("/live");
        using var events = new StreamReader(response.Content.ReadAsStream());
        _ = Next(events, document => document.GetProperty("seconds").GetDouble() > 0);
        Assert.That(client.Call("SET", "key", "v").Text, Is.EqualTo("OK"));
        var seen = Next(events, document => document.GetProperty("disk").TryGetProperty("sync", out _));
        var sync = seen.GetProperty("disk").GetProperty("sync");
        var (median, most) = (sync.GetProperty("p50").GetDouble(), sync.GetProperty("p99").GetDouble());
        Assert.That(median, Is.InRange(1, most));
        Assert.That(Next(events).GetProperty("disk").TryGetProperty("sync", out _), Is.False);
        Assert.That(Number(client, "persistence", "aof_fsyncs"), Is.Positive);
        Assert.That(Number(client, "persistence", "aof_fsync_usec"), Is.AtLeast(median / 2));
        Assert.That(Number(client, "tier", "tier_read_requests"), Is.Zero);
    }

    /// <summary>Latencies are of the calls since the look before, not since the start.</summary>
    [Test]
    public void Latencies_are_of_the_last_second()
    {
        using var client = Start();
        _ = client.Call("GET", "key");
        using var response = Open("/live");
        using var events = new StreamReader(response.Content.ReadAsStream());
        _ = Next(events, document => document.GetProperty("seconds").GetDouble() > 0);
        _ = client.Call("SET", "key", "v");
        var seen = Next(events, document => document.GetProperty("commands").GetArrayLength() > 0);
        var commands = seen.GetProperty("commands").EnumerateArray().ToList();
        Assert.That(commands.Select(command => command.GetProperty("name").GetString()), Is.EqualTo(new[] { "set" }));
        Assert.That(commands[0].GetProperty("calls").GetInt32(), Is.EqualTo(1));
        var after = Next(events);
        Assert.That(after.GetProperty("commands").GetArrayLength(), Is.Zero);
        Assert.That(after.GetProperty("latency").EnumerateObject(), Is.Empty);
    }

    [Test]
    public void What_the_doctors_find_is_told()
    {
        using var client = Start("--maxmemory", "24mb");
        for (var i = 0; i < 2000 && client.Call("SET", $"key:{i}", new string('v', 20_000)).Text == "OK"; i++)
        {
        }

        using var response = Open("/live");
        using var events = new StreamReader(response.Content.ReadAsStream());
        var findings = Next(events).GetProperty("findings").EnumerateArray().Select(text => text.GetString()!).ToList();
        Assert.That(findings, Has.Some.StartsWith("maxmemory is nearly reached"));
        var doctor = client.Call("MEMORY", "DOCTOR").Text;
        Assert.That(findings, Has.All.Matches<string>(text => doctor.Contains(text, StringComparison.Ordinal)));
    }

    [Test]
    public void No_more_pages_than_are_allowed()
    {
        using var client = Start();
        var open = Enumerable.Range(0, ObservationLimits.LiveStreams).Select(_ => Open("/live")).ToList();
        Assert.That(open.Select(response => response.StatusCode), Is.All.EqualTo(HttpStatusCode.OK));
        using (var refused = Open("/live"))
        {
            Assert.That(refused.StatusCode, Is.EqualTo(HttpStatusCode.ServiceUnavailable));
            Assert.That(refused.Content.ReadAsStringAsync().Result, Does.Contain("close one"));
        }

        using (var metrics = Open("/metrics"))
        {
            Assert.That(metrics.StatusCode, Is.EqualTo(HttpStatusCode.OK), "there is room beside them");
        }

        open[0].Dispose();
        Patience.Await(() =>
        {
            using var next = Open("/live");
            return next.StatusCode == HttpStatusCode.OK;
        });
        open.ForEach(response => response.Dispose());
    }

    [Test]
    public void The_stream_ends_with_the_server()
    {
        using var client = Start();
        using var response = Open("/live");
        using var events = new StreamReader(response.Content.ReadAsStream());
        _ = Next(events);
        Server!.Terminate();
        Assert.That(events.ReadToEnd(), Does.EndWith("\n\n").Or.Empty);
        Assert.That(Server.WaitForExit(), Is.Zero);
    }

    [Test]
    public void Who_may_not_see_it_any_more_sees_no_more()
    {
        using var client = Start("--requirepass", "secret");
        _ = client.Call("AUTH", "secret");
        Assert.That(client.Call("ACL", "SETUSER", "watcher", "on", ">w", "+info").Text, Is.EqualTo("OK"));
        using var response = Open("/live", "watcher:w");
        using var events = new StreamReader(response.Content.ReadAsStream());
        _ = Next(events);
        Assert.That(client.Call("ACL", "DELUSER", "watcher").Integer, Is.EqualTo(1));
        Assert.That(events.ReadToEnd(), Does.EndWith("\n\n").Or.Empty, "it ends");
    }

    /// <summary>A name that clients give to a command comes to the page as a text, and no argument does.</summary>
    [Test]
    public void What_clients_send_is_escaped()
    {
        const string Hostile = "</script><img/src=x/onerror=alert(1)>";
        using var client = Start("--slowlog-log-slower-than", "0", "--rename-command", "GET", Hostile);
        Assert.That(client.Call(Hostile, "<b>secret</b>").IsNull);
        using var response = Open("/live");
        using var events = new StreamReader(response.Content.ReadAsStream());
        var line = Line(events);
        Assert.That(line, Does.Not.Contain('<').And.Not.Contain("secret"));
        using var document = JsonDocument.Parse(line);
        Assert.That(document.RootElement.GetProperty("slow")[0].GetProperty("verb").GetString(), Is.EqualTo(Hostile));
    }

    private static string Line(StreamReader events)
    {
        var line = events.ReadLine()!;
        Assert.That(line, Does.StartWith("data: "));
        Assert.That(events.ReadLine(), Is.Empty);
        return line["data: ".Length..];
    }

    /// <summary>The next document that is as it should be.</summary>
    private static JsonElement Next(StreamReader events, Func<JsonElement, bool>? isRight = null)
    {
        for (var looks = 0; looks < 30; looks++)
        {
            using var document = JsonDocument.Parse(Line(events));
            if (isRight == null || isRight(document.RootElement))
            {
                return document.RootElement.Clone();
            }
        }

        throw new AssertionException("What is waited for does not come.");
    }

    private static double Figure(JsonElement document, string name)
        => document.GetProperty("figures").GetProperty(name).GetDouble();

    private static long Number(RespConnection client, string section, string field)
        => ServerInfo.Number(client, section, field);

    private HttpResponseMessage Open(string path, string? credentials = null)
    {
        using var request = Ask(path, credentials);
        return Http.Send(request, HttpCompletionOption.ResponseHeadersRead);
    }
}
