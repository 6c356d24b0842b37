using System.Collections.Concurrent;
using System.Net;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Strata.Tests.Support;

/// <summary>Takes what is sent by OpenTelemetry's protocol, over gRPC or HTTP, and keeps it as bytes.</summary>
internal sealed class TelemetryCollector : IDisposable
{
    private readonly ConcurrentDictionary<string, ConcurrentBag<string>> _bodies = new();
    private readonly WebApplication _application;

    private TelemetryCollector(HttpProtocols protocols, int port)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
            kestrel.Listen(IPAddress.Loopback, port, listen => listen.Protocols = protocols));
        _application = builder.Build();
        _application.Run(TakeAsync);
        _application.StartAsync().GetAwaiter().GetResult();
    }

    /// <summary>What is given to the server as its endpoint.</summary>
    public string Endpoint => _application.Urls.Single();

    /// <summary>A collector on a free port, or on the one that is given.</summary>
    public static TelemetryCollector Start(bool isGrpc, int port = 0)
        => new(isGrpc ? HttpProtocols.Http2 : HttpProtocols.Http1, port);

    /// <summary>Whether a path that ends so was sent something with all of the texts in it.</summary>
    public bool Has(string pathEnd, params string[] texts)
        => _bodies.Where(pair => pair.Key.EndsWith(pathEnd, StringComparison.Ordinal))
            .SelectMany(pair => pair.Value)
            .Any(body => texts.All(text => body.Contains(text, StringComparison.Ordinal)));

    /// <inheritdoc/>
    public void Dispose()
    {
        _application.StopAsync().GetAwaiter().GetResult();
        ((IDisposable)_application).Dispose();
    }

    private async Task TakeAsync(HttpContext context)
    {
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body).ConfigureAwait(false);
        _bodies.GetOrAdd(context.Request.Path.Value!, _ => []).Add(Encoding.Latin1.GetString(body.ToArray()));
        if (context.Request.ContentType == "application/grpc")
        {
            context.Response.ContentType = "application/grpc";
            context.Response.AppendTrailer("grpc-status", "0");
            await context.Response.Body.WriteAsync(new byte[5]).ConfigureAwait(false); // An empty message.
        }
    }
}
