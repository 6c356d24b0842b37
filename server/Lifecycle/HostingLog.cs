using Microsoft.Extensions.Logging;

namespace Strata.Server.Lifecycle;

/// <summary>What the host says in the log.</summary>
internal static partial class HostingLog
{
    [LoggerMessage(
        EventName = "Starting",
        Level = LogLevel.Information,
        Message = "Strata {Version} starting, pid {Pid}, {ConfFile}")]
    public static partial void Starting(ILogger logger, string version, int pid, string confFile);

    [LoggerMessage(EventName = "Warning", Level = LogLevel.Warning, Message = "{Warning}")]
    public static partial void Warning(ILogger logger, string warning);

    [LoggerMessage(
        EventName = "ServesMetrics",
        Level = LogLevel.Information,
        Message = "Serves metrics by HTTP on {Address}, port {Port}")]
    public static partial void ServesMetrics(ILogger logger, System.Net.IPAddress address, int port);

    [LoggerMessage(
        EventName = "LivePageFailed",
        Level = LogLevel.Error,
        Message = "The live page's figures could not be read")]
    public static partial void LivePageFailed(ILogger logger, Exception exception);

    [LoggerMessage(
        EventName = "SendsTelemetry",
        Level = LogLevel.Information,
        Message = "Sends metrics, log lines and slow commands to {Endpoint}")]
    public static partial void SendsTelemetry(ILogger logger, Uri endpoint);

    [LoggerMessage(
        EventName = "TelemetryFails",
        Level = LogLevel.Warning,
        Message = "Telemetry does not get to {Endpoint} ({Reason}): it is lost until it does. See otlp-endpoint and "
            + "otlp-protocol")]
    public static partial void TelemetryFails(ILogger logger, Uri endpoint, string reason);

    [LoggerMessage(
        EventName = "TelemetryGoesOn",
        Level = LogLevel.Information,
        Message = "Telemetry gets to {Endpoint} again")]
    public static partial void TelemetryGoesOn(ILogger logger, Uri endpoint);

    [LoggerMessage(EventName = "Failed", Level = LogLevel.Critical, Message = "{Reason}")]
    public static partial void Failed(ILogger logger, string reason);

    [LoggerMessage(EventName = "InternalError", Level = LogLevel.Critical, Message = "Internal error")]
    public static partial void InternalError(ILogger logger, Exception error);
}
