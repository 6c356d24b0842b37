using System.Buffers;
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
using Strata.Server.Hosting.Live;
using Strata.Server.Lifecycle;
using Strata.Server.Metrics;
using Strata.Server.Options;
using Strata.Storage.Runtime;

namespace Strata.Server.Hosting;

/// <summary>
/// Serves by HTTP, on <c>metrics-port</c>, what watches the server asks for: to users who may execute INFO a page for
/// people with its stream of figures, and /metrics for Prometheus; /healthz, whether the workers are alive; /readyz,
/// whether clients are served. Started before the engine and stopped after it, so that probes see both; the streams end
/// before the engine does.
/// </summary>
/// <param name="engine">The engine.</param>
/// <param name="store">The configuration.</param>
/// <param name="lifetime">Tells when the server stops.</param>
/// <param name="loggers">Make the logger.</param>
internal sealed class MetricsEndpoint(
    IServerEngine engine, ConfigurationStore store, IHostApplicationLifetime lifetime, ILoggerFactory loggers)
    : IHostedService, IAsyncDisposable
{
    private readonly ILogger _logger = loggers.CreateLogger<MetricsEndpoint>();
    private readonly Lazy<LivePage> _page = new();
    private LiveFeed? _feed;
    private CancellationTokenRegistration _end;
    private WebApplication? _application;

    /// <inheritdoc/>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var options = store.Current;
        var feed = new LiveFeed(
            () => engine.Observer.StartLive(),
            Platform.Machine.Clock,
            exception => HostingLog.LivePageFailed(_logger, exception));
        _feed = feed;
        _end = lifetime.ApplicationStopping.Register(feed.End);
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
    public ValueTask DisposeAsync()
    {
        _end.Dispose();
        _feed?.Dispose();
        return _application?.DisposeAsync() ?? ValueTask.CompletedTask;
    }

    private static void Bound(KestrelServerOptions kestrel)
    {
        kestrel.AddServerHeader = false;
        kestrel.Limits.MaxConcurrentConnections = ObservationLimits.MetricsConnections;
        kestrel.Limits.MaxConcurrentUpgradedConnections = 0;
        kestrel.Limits.MaxRequestBodySize = 0;
        kestrel.Limits.MaxRequestLineSize = ObservationLimits.MetricsRequestBytes;
        kestrel.Limits.MaxRequestHeadersTotalSize = ObservationLimits.MetricsRequestBytes;
        kestrel.Limits.MaxRequestBufferSize = 2 * ObservationLimits.MetricsRequestBytes;
        kestrel.Limits.RequestHeadersTimeout = ObservationLimits.MetricsRequestTimeout;
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
            case "/":
                await AnswerWatcherAsync(context, AnswerPageAsync).ConfigureAwait(false);
                break;
            case "/live":
                await AnswerWatcherAsync(context, AnswerLiveAsync).ConfigureAwait(false);
                break;
            case "/hotkeys":
                await AnswerWatcherAsync(context, ReportOf(PageReport.HotKeys)).ConfigureAwait(false);
                break;
            case "/prefixes":
                await AnswerWatcherAsync(context, ReportOf(PageReport.Prefixes)).ConfigureAwait(false);
                break;
            case "/clients":
                await AnswerWatcherAsync(context, ReportOf(PageReport.Clients)).ConfigureAwait(false);
                break;
            case "/metrics":
                await AnswerWatcherAsync(context, AnswerMetricsAsync).ConfigureAwait(false);
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
                await context.Response.WriteAsync("There are /, /metrics, /healthz and /readyz.\n")
                    .ConfigureAwait(false);
                break;
        }
    }

    /// <summary>Answers who may see the figures.</summary>
    private async Task AnswerWatcherAsync(HttpContext context, Func<HttpContext, Task> answer)
    {
        if (MayObserve(context))
        {
            await answer(context).ConfigureAwait(false);
            return;
        }

        context.Response.Headers.WWWAuthenticate = "Basic realm=\"metrics\", charset=\"UTF-8\"";
        context.Response.StatusCode = StatusCodes.Status401Unauthorized;
        await context.Response.WriteAsync("Give the name and password of a user who may execute INFO.\n")
            .ConfigureAwait(false);
    }

    private bool MayObserve(HttpContext context)
    {
        var (user, password) = CredentialsOf(context.Request);
        return engine.Observer.MayObserve(user, password);
    }

    private async Task AnswerPageAsync(HttpContext context)
    {
        var headers = context.Response.Headers;
        headers.ContentSecurityPolicy = _page.Value.Policy;
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers.CacheControl = "no-cache";
        context.Response.ContentType = "text/html; charset=utf-8";
        context.Response.ContentLength = _page.Value.Html.Length;
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            _ = await context.Response.BodyWriter.WriteAsync(_page.Value.Html, context.RequestAborted)
                .ConfigureAwait(false);
        }
    }

    /// <summary>Sends the page what is new, as events of the server's, until one of both ends.</summary>
    private async Task AnswerLiveAsync(HttpContext context)
    {
        context.Response.ContentType = "text/event-stream";
        context.Response.Headers.CacheControl = "no-store";
        if (HttpMethods.IsHead(context.Request.Method))
        {
            return;
        }

        if (_feed!.TryOpen() is not { } stream)
        {
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            const int Most = ObservationLimits.LiveStreams;
            await SayAsync(context, $"At most {Most} live pages are served at a time: close one.")
                .ConfigureAwait(false);
            return;
        }

        using var abort = stream.Dropped.Register(context.Abort);
        try
        {
            await SendAsync(context, stream).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            context.Abort(); // The page was closed.
        }
        finally
        {
            _feed.Close(stream);
        }
    }

    private async Task SendAsync(HttpContext context, LiveStream stream)
    {
        await foreach (var document in stream.ReadAllAsync(context.RequestAborted).ConfigureAwait(false))
        {
            if (!MayObserve(context))
            {
                return; // Not any more.
            }

            var body = context.Response.BodyWriter;
            body.Write("data: "u8);
            body.Write(document);
            body.Write("\n\n"u8);
            _ = await body.FlushAsync(context.RequestAborted).ConfigureAwait(false);
        }
    }

    private Func<HttpContext, Task> ReportOf(PageReport report) => context => AnswerReportAsync(context, report);

    /// <summary>A part of the page that not everybody may see who sees the page: it names keys, or clients.</summary>
    private async Task AnswerReportAsync(HttpContext context, PageReport report)
    {
        var (user, password) = CredentialsOf(context.Request);
        var document = new ArrayBufferWriter<byte>();
        if (!engine.Observer.TryWriteReport(report, user, password, document))
        {
            var command = report.ToString().ToUpperInvariant();
            context.Response.StatusCode = StatusCodes.Status403Forbidden;
            await context.Response.WriteAsync($"This is for users who may execute STRATA {command}.\n")
                .ConfigureAwait(false);
            return;
        }

        context.Response.ContentType = "application/json";
        context.Response.Headers.CacheControl = "no-store";
        context.Response.ContentLength = document.WrittenCount;
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            _ = await context.Response.BodyWriter.WriteAsync(document.WrittenMemory, context.RequestAborted)
                .ConfigureAwait(false);
        }
    }

    private async Task AnswerMetricsAsync(HttpContext context)
    {
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
