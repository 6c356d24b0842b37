using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Strata.Server.Lifecycle;
using Strata.Server.Metrics;
using Strata.Server.Options;

namespace Strata.Server.Hosting;

/// <summary>
/// Serves by HTTP, on <c>metrics-port</c>, what watches the server asks for: /metrics for Prometheus, to users who may
/// execute INFO; /healthz, whether the workers are alive; /readyz, whether clients are served. Started before the
/// engine and stopped after it, so that probes see both.
/// </summary>
/// <param name="engine">The engine.</param>
/// <param name="store">The configuration.</param>
/// <param name="loggers">Make the logger.</param>
internal sealed class MetricsEndpoint(IServerEngine engine, ConfigurationStore store, ILoggerFactory loggers)
    : IHostedService, IAsyncDisposable
{
    private readonly ILogger _logger = loggers.CreateLogger<MetricsEndpoint>();
    private WebApplication? _application;

    /// <inheritdoc/>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var options = store.Current;
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Services.AddSingleton(loggers);
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
        {
            Bound(kestrel);
            kestrel.Listen(options.MetricsBind, options.MetricsPort);
        });
        _application = builder.Build();
        _application.Run(AnswerAsync);
        try
        {
            await _application.StartAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (IOException exception)
        {
            throw new StartupException(
                ExitCode.Listen,
                $"Cannot serve metrics on {options.MetricsBind}, port {options.MetricsPort}: {exception.Message} "
                + "Give another metrics-port or metrics-bind.");
        }

        HostingLog.ServesMetrics(_logger, options.MetricsBind, options.MetricsPort);
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
        => _application?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _application?.DisposeAsync() ?? ValueTask.CompletedTask;

    private static void Bound(KestrelServerOptions kestrel)
    {
        kestrel.AddServerHeader = false;
        kestrel.Limits.MaxConcurrentConnections = ServerLimits.MetricsConnections;
        kestrel.Limits.MaxConcurrentUpgradedConnections = 0;
        kestrel.Limits.MaxRequestBodySize = 0;
        kestrel.Limits.MaxRequestLineSize = ServerLimits.MetricsRequestBytes;
        kestrel.Limits.MaxRequestHeadersTotalSize = ServerLimits.MetricsRequestBytes;
        kestrel.Limits.MaxRequestBufferSize = 2 * ServerLimits.MetricsRequestBytes;
        kestrel.Limits.RequestHeadersTimeout = ServerLimits.MetricsRequestTimeout;
    }

    private async Task AnswerAsync(HttpContext context)
    {
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            context.Response.Headers.Allow = "GET, HEAD";
            context.Response.StatusCode = StatusCodes.Status405MethodNotAllowed;
            return;
        }

        switch (context.Request.Path.Value)
        {
            case "/metrics":
                await AnswerMetricsAsync(context).ConfigureAwait(false);
                break;
            case "/healthz":
                await SayAsync(context, await WhyNotAliveAsync().ConfigureAwait(false)).ConfigureAwait(false);
                break;
            case "/readyz":
                await SayAsync(context, engine.Observer.WhyNotReady ?? await WhyNotAliveAsync().ConfigureAwait(false))
                    .ConfigureAwait(false);
                break;
            default:
                context.Response.StatusCode = StatusCodes.Status404NotFound;
                await context.Response.WriteAsync("There are /metrics, /healthz and /readyz.\n").ConfigureAwait(false);
                break;
        }
    }

    private async Task AnswerMetricsAsync(HttpContext context)
    {
        var (user, password) = CredentialsOf(context.Request);
        if (!engine.Observer.MayObserve(user, password))
        {
            context.Response.Headers.WWWAuthenticate = "Basic realm=\"metrics\", charset=\"UTF-8\"";
            context.Response.StatusCode = StatusCodes.Status401Unauthorized;
            await context.Response.WriteAsync("Give the name and password of a user who may execute INFO.\n")
                .ConfigureAwait(false);
            return;
        }

        var isOpenMetrics = context.Request.Headers.Accept.ToString()
            .Contains("application/openmetrics-text", StringComparison.OrdinalIgnoreCase);
        context.Response.ContentType = isOpenMetrics ? MetricsText.OpenMetricsType : MetricsText.PlainType;
        engine.Observer.WriteMetrics(context.Response.BodyWriter, isOpenMetrics);
        _ = await context.Response.BodyWriter.FlushAsync(context.RequestAborted).ConfigureAwait(false);
    }

    private static (string? User, string Password) CredentialsOf(HttpRequest request)
    {
        if (!AuthenticationHeaderValue.TryParse(request.Headers.Authorization, out var header)
            || !header.Scheme.Equals("Basic", StringComparison.OrdinalIgnoreCase))
        {
            return (null, "");
        }

        var encoded = header.Parameter ?? "";
        var decoded = new byte[encoded.Length];
        if (!Convert.TryFromBase64String(encoded, decoded, out var length))
        {
            return ("", "");
        }

        var text = Encoding.UTF8.GetString(decoded, 0, length);
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        return colon < 0 ? (text, "") : (text[..colon], text[(colon + 1)..]);
    }

    private async Task<string?> WhyNotAliveAsync()
    {
        try
        {
            await engine.TurnAsync().WaitAsync(ServerLimits.HealthTimeout).ConfigureAwait(false);
            return null;
        }
        catch (TimeoutException)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"A worker has not answered for {ServerLimits.HealthTimeout.TotalSeconds} s.");
        }
    }

    private static Task SayAsync(HttpContext context, string? problem)
    {
        context.Response.StatusCode =
            problem == null ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        context.Response.ContentType = "text/plain; charset=utf-8";
        return context.Response.WriteAsync((problem ?? "ok") + "\n");
    }
}
