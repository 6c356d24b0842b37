using System.Net;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>Sessions of ASP.NET Core that two instances of a site share, the first of which changes them.</summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.AspNetCorePairs))]
internal sealed class SessionTests(ServerKind kind, string writer, string reader) : ApplicationFixture(kind)
{
    private const long HourMs = 3_600_000;

    private string _keys = null!;
    private WebInstance _writer = null!;
    private WebInstance _reader = null!;

    [SetUp]
    public void StartShops()
    {
        // Two of version 10 keep what cookies are encrypted with in the server as well.
        _keys = Directory.CreateTempSubdirectory("strata-test-keys-").FullName;
        string[] flags = reader == WebInstance.Net10 ? [] : ["--keys", _keys];
        _writer = WebInstance.Start(Server, writer, flags);
        _reader = WebInstance.Start(Server, reader, flags);
    }

    [TearDown]
    public void StopShops()
    {
        _writer?.Dispose();
        _reader?.Dispose();
        if (_keys is not null)
        {
            Directory.Delete(_keys, recursive: true);
        }
    }

    [Test]
    public async Task A_session_is_shared_and_slides_and_ends()
    {
        var (_, ann) = await SendAsync(_writer, HttpMethod.Put, "name", "Ann", cookie: null);
        var (_, bob) = await SendAsync(_writer, HttpMethod.Put, "name", "Bob", cookie: null);
        Assert.That((await SendAsync(_reader, HttpMethod.Get, "name", null, ann)).Body, Is.EqualTo("Ann"));
        Assert.That((await SendAsync(_reader, HttpMethod.Get, "name", null, bob)).Body, Is.EqualTo("Bob"));
        Assert.That((await SendAsync(_reader, HttpMethod.Get, "name", null, null)).Body, Is.Null);

        // A request pushes the end of its session on, whichever instance it goes to.
        var sessions = Call("KEYS", "shop:*").Items.Select(key => key.Text).ToList();
        Assert.That(sessions, Has.Count.EqualTo(2));
        sessions.ForEach(session => Call("PEXPIRE", session, "100000"));
        await SendAsync(_reader, HttpMethod.Get, "name", null, ann);
        Assert.That(
            sessions.Select(session => Call("PTTL", session).Integer).Order(),
            Is.EqualTo(new[] { 100_000, HourMs }).Within(99_999));

        await SendAsync(_writer, HttpMethod.Put, "name", "Anna", ann);
        Assert.That((await SendAsync(_reader, HttpMethod.Get, "name", null, ann)).Body, Is.EqualTo("Anna"));

        sessions.ForEach(session => Call("PEXPIRE", session, "0"));
        Assert.That((await SendAsync(_reader, HttpMethod.Get, "name", null, ann)).Body, Is.Null);
    }

    /// <summary>Sends a visitor's request; without a cookie it is a new visitor's.</summary>
    /// <returns>The body, null where there is no such value, and the visitor's cookie.</returns>
    private static async Task<(string? Body, string? Cookie)> SendAsync(
        WebInstance shop, HttpMethod method, string name, string? value, string? cookie)
    {
        using var request = new HttpRequestMessage(method, $"/session/{name}");
        if (value is not null)
        {
            request.Content = new StringContent(value);
        }

        if (cookie is not null)
        {
            request.Headers.Add("Cookie", cookie);
        }

        using var response = await shop.Client.SendAsync(request);
        if (response.Headers.TryGetValues("Set-Cookie", out var cookies))
        {
            cookie = cookies.Single().Split(';')[0];
        }

        if (response.StatusCode == HttpStatusCode.NotFound)
        {
            return (null, cookie);
        }

        Assert.That(response.StatusCode, Is.EqualTo(HttpStatusCode.OK));
        return (await response.Content.ReadAsStringAsync(), cookie);
    }
}
