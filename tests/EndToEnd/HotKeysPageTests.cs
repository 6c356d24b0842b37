using System.Net;
using System.Text.Json;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>The hot keys of the live page, which are for fewer people than its figures.</summary>
[TestFixture]
internal sealed class HotKeysPageTests : MetricsPortFixture
{
    private const int Calls = 2000;

    [Test]
    public void Names_come_as_texts_whatever_they_are()
    {
        using var client = Start();
        string[] keys = ["<b>x</b>", "a\r\nb\0", "user:\u00e9", new string('k', 300), "\u00ff"];
        foreach (var key in keys)
        {
            Use(client, key);
        }

        var (text, names) = Names(null, "reads");
        Assert.That(text, Does.Not.Contain('<'));
        Assert.That(names, Has.Count.EqualTo(keys.Length));
        Assert.That(names, Has.Member("<b>x</b>").And.Member("\"a\\r\\nb\\x00\""));
        Assert.That(names, Has.Member(new string('k', 96) + "…"));
        Assert.That(Names(null, "writes").Names, Is.Empty);
        Assert.That(Names(null, "bytes").Names, Is.Not.Empty);
        var info = new StreamReader(Http.Send(Ask("/metrics", null)).Content.ReadAsStream()).ReadToEnd();
        Assert.That(info, Does.Contain("strata_hottest_key_ratio{by=\"reads\"} 0.").And.Not.Contain("user:"));
    }

    /// <summary>Who may execute INFO sees the page, and who may execute STRATA HOTKEYS the keys that it may read.
    /// </summary>
    [Test]
    public void Keys_are_shown_to_who_may_have_them_told()
    {
        using var client = Start("--requirepass", "secret");
        _ = client.Call("AUTH", "secret");
        Use(client, "mine:1");
        Use(client, "theirs:1");
        foreach (var (user, rules) in new[] { ("watcher", "+info"), ("one", "+info +strata|hotkeys ~mine:*") })
        {
            var words = (string[])["ACL", "SETUSER", user, "on", ">w", .. rules.Split(' ')];
            Assert.That(client.Call(words).Text, Is.EqualTo("OK"));
        }

        foreach (var (credentials, status) in new (string?, HttpStatusCode)[]
            {
                (null, HttpStatusCode.Unauthorized), ("watcher:x", HttpStatusCode.Unauthorized),
                ("watcher:w", HttpStatusCode.Forbidden), ("default:secret", HttpStatusCode.OK),
            })
        {
            using var response = Http.Send(Ask("/hotkeys", credentials));
            Assert.That(response.StatusCode, Is.EqualTo(status), credentials);
        }

        Assert.That(Names("one:w", "reads").Names, Is.EqualTo(new[] { "mine:1" }));
        Assert.That(Names("default:secret", "reads").Names, Has.Count.EqualTo(2));
    }

    private static void Use(RespConnection client, string key)
    {
        client.Send([.. Enumerable.Repeat(RespCommand.Of("GET", key), Calls)]);
        Assert.That(Enumerable.Range(0, Calls).All(_ => client.ReadReply().IsNull));
    }

    private (string Text, List<string?> Names) Names(string? credentials, string by)
    {
        using var request = Ask("/hotkeys", credentials);
        using var response = Http.Send(request);
        Assert.That(response.Content.Headers.ContentType?.ToString(), Is.EqualTo("application/json"));
        var text = response.Content.ReadAsStringAsync().Result;
        using var document = JsonDocument.Parse(text);
        return (text, [.. document.RootElement.GetProperty(by).EnumerateArray()
            .Select(static key => key.GetProperty("name").GetString())]);
    }
}
