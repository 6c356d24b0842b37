using System.Net;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>An instance of the web shop (tests/Applications/Web) on a port of its own, and what asks it.</summary>
internal sealed class WebInstance : IDisposable
{
    /// <summary>ASP.NET Core 8 with its own cache library.</summary>
    public const string Net8 = "net8.0";

    /// <summary>ASP.NET Core 10 with its own cache library, SignalR and Hangfire.</summary>
    public const string Net10 = "net10.0";

    private readonly ProgramRun _process;

    private WebInstance(ProgramRun process, Uri address)
    {
        _process = process;
        Client = new HttpClient(new SocketsHttpHandler { UseCookies = false }) { BaseAddress = address };
    }

    /// <summary>Asks the instance; it sends no cookies but those a request names.</summary>
    public HttpClient Client { get; }

    public Uri Address => Client.BaseAddress!;

    /// <summary>Starts the shop of a framework over a server and waits until it listens.</summary>
    public static WebInstance Start(ServerProcess server, string framework, params string[] flags)
    {
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name; // …/bin/CONFIGURATION/net10.0
        var program = RepositoryRoot.Combine(
            "tests", "Applications", "Web", "bin", configuration, framework, "strata-test-web");
        var process = ProgramRun.Start(
            program, ["--urls", "http://127.0.0.1:0", "--redis", server.EndPoint.ToString(), .. flags]);
        try
        {
            return new WebInstance(process, new Uri(process.WaitForLine("Now listening on: ")));
        }
        catch (AssertionException)
        {
            process.Dispose();
            throw;
        }
    }

    /// <summary>Sends a request that must succeed.</summary>
    /// <returns>The body.</returns>
    public async Task<string> AskAsync(HttpMethod method, string path, HttpContent? body = null)
    {
        using var request = new HttpRequestMessage(method, path) { Content = body };
        using var response = await Client.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        if (response.StatusCode != HttpStatusCode.OK)
        {
            Assert.Fail($"{method} {path} answered {response.StatusCode}: {text}\n{_process.Output}");
        }

        return text;
    }

    public void Dispose()
    {
        Client.Dispose();
        _process.Dispose();
    }
}
