using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;
using ReservedPort = Strata.Bench.Servers.ReservedPort;

namespace Strata.Tests.EndToEnd;

/// <summary>Tests of what a server answers at metrics-port.</summary>
internal abstract class MetricsPortFixture
{
    /// <summary>What the server is asked by.</summary>
    protected HttpClient Http { get; } = new() { Timeout = TimeSpan.FromMilliseconds(Patience.Ms) };

    /// <summary>The port, which no other server has.</summary>
    protected ReservedPort Port { get; private set; } = null!;

    /// <summary>The server, once it was started.</summary>
    protected ServerProcess? Server { get; private set; }

    [SetUp]
    public void Reserve() => Port = ReservedPort.Take();

    [TearDown]
    public void Stop()
    {
        Server?.Dispose();
        Port.Dispose();
    }

    [OneTimeTearDown]
    public void Free() => Http.Dispose();

    /// <summary>Starts a server, and connects to it.</summary>
    protected RespConnection Start(params string[] flags)
    {
        Server = StrataProcess.Start(
            [.. flags, "--metrics-port", Port.Number.ToString(CultureInfo.InvariantCulture)]);
        return Server.Connect();
    }

    /// <summary>A request for a path.</summary>
    /// <param name="path">The path.</param>
    /// <param name="credentials">Name and password with a colon between them, or null.</param>
    protected HttpRequestMessage Ask(string path, string? credentials)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, $"http://127.0.0.1:{Port.Number}{path}");
        if (credentials != null)
        {
            request.Headers.Authorization = new AuthenticationHeaderValue(
                "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(credentials)));
        }

        return request;
    }
}
