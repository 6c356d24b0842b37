using System.Globalization;
using Microsoft.Extensions.Logging;
using Strata.Server.Lifecycle;

namespace Strata.Server.Hosting.Telemetry;

/// <summary>Looks at what becomes of telemetry that is sent: the first time that some does not arrive, and the first
/// time that some does again, are told in the log.</summary>
/// <param name="endpoint">Where it is sent to.</param>
internal sealed class ExportWatch(Uri endpoint)
{
    private volatile ILogger? _logger;
    private int _isFailing;

    /// <summary>There is a log from here on.</summary>
    public void Begin(ILogger logger) => _logger = logger;

    /// <summary>What requests are sent by.</summary>
    public HttpMessageHandler NewHandler() => new Handler(this);

    private void Note(string? problem)
    {
        if (_logger is not { } logger)
        {
            return;
        }

        var wasFailing = Interlocked.Exchange(ref _isFailing, problem == null ? 0 : 1) != 0;
        if (problem != null && !wasFailing)
        {
            HostingLog.TelemetryFails(logger, endpoint, problem);
        }
        else if (problem == null && wasFailing)
        {
            HostingLog.TelemetryGoesOn(logger, endpoint);
        }
    }

    private sealed class Handler(ExportWatch watch) : DelegatingHandler(new SocketsHttpHandler())
    {
        /// <inheritdoc/>
        protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            try
            {
                return Noted(base.Send(request, cancellationToken));
            }
            catch (Exception exception) when (exception is HttpRequestException or OperationCanceledException)
            {
                watch.Note(exception is HttpRequestException ? exception.Message : "no answer in time");
                throw;
            }
        }

        /// <inheritdoc/>
        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            try
            {
                return Noted(await base.SendAsync(request, cancellationToken).ConfigureAwait(false));
            }
            catch (Exception exception) when (exception is HttpRequestException or OperationCanceledException)
            {
                watch.Note(exception is HttpRequestException ? exception.Message : "no answer in time");
                throw;
            }
        }

        private HttpResponseMessage Noted(HttpResponseMessage response)
        {
            watch.Note(response.IsSuccessStatusCode
                ? null
                : string.Create(CultureInfo.InvariantCulture, $"HTTP status {(int)response.StatusCode}"));
            return response;
        }
    }
}
