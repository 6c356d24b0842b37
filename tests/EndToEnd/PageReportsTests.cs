using System.Net;
using System.Text.Json;
using NUnit.Framework;

namespace Strata.Tests.EndToEnd;

/// <summary>Memory by prefix and clients by cost, of the live page, which are for fewer people than its figures.
/// </summary>
[TestFixture]
internal sealed class PageReportsTests : MetricsPortFixture
{
    [Test]
    public void Prefixes_and_large_keys_come_as_texts_whatever_they_are()
    {
        using var client = Start();
        _ = client.Call("SET", "<b>:x", new string('v', 100));
        _ = client.Call("SET", "a\r\n:x", "v");
        _ = client.Call("SET", "none", "v");
        _ = client.Call("STRATA", "PREFIXES"); // What is asked for is looked up; the page has it some seconds later.
        var (text, document) = Get("/prefixes", null);
        Assert.That(text, Does.Not.Contain('<'));
        Assert.That(Names(document, "prefixes"), Is.EquivalentTo(new[] { "<b>:", "\"a\\r\\n:\"", "" }));
        Assert.That(Names(document, "large"), Is.EquivalentTo(new[] { "<b>:x", "\"a\\r\\n:x\"", "none" }));
        var largest = document.GetProperty("prefixes")[0];
        Assert.That(largest.GetProperty("name").GetString(), Is.EqualTo("<b>:"));
        Assert.That(
            largest.GetProperty("memory").EnumerateArray().Select(static figure => figure.GetInt64()).Distinct(),
            Is.EqualTo(new[] { client.Call("MEMORY", "USAGE", "<b>:x").Integer }));
        var metrics = new StreamReader(Http.Send(Ask("/metrics", null)).Content.ReadAsStream()).ReadToEnd();
        Assert.That(metrics, Does.Contain("strata_largest_prefix_ratio 0.").And.Contain("strata_largest_key_bytes 0"));
        _ = client.Call("SET", "large", new string('v', 10_000));
        metrics = new StreamReader(Http.Send(Ask("/metrics", null)).Content.ReadAsStream()).ReadToEnd();
        var bytes = client.Call("MEMORY", "USAGE", "large").Integer;
        Assert.That(metrics, Does.Contain($"strata_largest_key_bytes {bytes}"));
    }

    [Test]
    public void Costs_are_those_of_the_report()
    {
        using var client = Start();
        _ = client.Call("CLIENT", "SETNAME", "<i>me</i>");
        _ = client.Call("STRATA", "CLIENTS");
        var (text, document) = Get("/clients", null);
        Assert.That(text, Does.Not.Contain('<'));
        var owner = document.GetProperty("owner").EnumerateArray().Single(
            static owner => owner.GetProperty("name").GetString() == "<i>me</i>");
        Assert.That(owner.GetProperty("connections").GetInt32(), Is.EqualTo(1));
        Assert.That(owner.GetProperty("commands").GetInt32(), Is.AtLeast(1));
        Assert.That(document.GetProperty("user")[0].GetProperty("user").GetString(), Is.EqualTo("default"));
    }

    /// <summary>Who may execute INFO sees the page; the rest is for who may execute the command that tells of it.
    /// </summary>
    [TestCase("prefixes")]
    [TestCase("clients")]
    public void They_are_shown_to_who_may_have_them_told(string report)
    {
        using var client = Start("--requirepass", "secret");
        _ = client.Call("AUTH", "secret");
        _ = client.Call("SET", "mine:1", "v");
        _ = client.Call("SET", "theirs:1", "v");
        _ = client.Call("STRATA", "PREFIXES");
        foreach (var (user, rules) in new[] { ("watcher", "+info"), ("one", $"+info +strata|{report} ~mine:*") })
        {
            var words = (string[])["ACL", "SETUSER", user, "on", ">w", .. rules.Split(' ')];
            Assert.That(client.Call(words).Text, Is.EqualTo("OK"));
        }

        foreach (var (credentials, status) in new (string?, HttpStatusCode)[]
            {
                (null, HttpStatusCode.Unauthorized), ("watcher:x", HttpStatusCode.Unauthorized),
                ("watcher:w", HttpStatusCode.Forbidden), ("one:w", HttpStatusCode.OK),
                ("default:secret", HttpStatusCode.OK),
            })
        {
            using var response = Http.Send(Ask("/" + report, credentials));
            Assert.That(response.StatusCode, Is.EqualTo(status), credentials);
        }

        if (report == "prefixes")
        {
            Assert.That(Names(Get("/prefixes", "one:w").Document, "prefixes"), Is.EqualTo(new[] { "mine:" }));
        }
    }

    private static List<string?> Names(JsonElement document, string list)
        => [.. document.GetProperty(list).EnumerateArray()
            .Select(static entry => entry.GetProperty("name").GetString())];

    private (string Text, JsonElement Document) Get(string path, string? credentials)
    {
        using var request = Ask(path, credentials);
        using var response = Http.Send(request);
        Assert.That(response.Content.Headers.ContentType?.ToString(), Is.EqualTo("application/json"));
        var text = response.Content.ReadAsStringAsync().Result;
        using var document = JsonDocument.Parse(text);
        return (text, document.RootElement.Clone());
    }
}
