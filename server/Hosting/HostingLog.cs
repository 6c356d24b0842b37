using Microsoft.Extensions.Logging;

namespace Strata.Server.Hosting;

/// <summary>What the host says in the log.</summary>
internal static partial class HostingLog
{
    [LoggerMessage(EventName = "Starting", Level = LogLevel.Information, Message = "Strata {Version} starting, pid {Pid}, {ConfFile}")]
    public static partial void Starting(ILogger logger, string version, int pid, string confFile);

    [LoggerMessage(EventName = "Ready", Level = LogLevel.Information, Message = "Ready to accept connections")]
    public static partial void Ready(ILogger logger);

    [LoggerMessage(EventName = "Stopping", Level = LogLevel.Information, Message = "Stopping")]
    public static partial void Stopping(ILogger logger);

    [LoggerMessage(EventName = "Stopped", Level = LogLevel.Information, Message = "Stopped, bye bye")]
    public static partial void Stopped(ILogger logger);

    [LoggerMessage(EventName = "Warning", Level = LogLevel.Warning, Message = "{Warning}")]
    public static partial void Warning(ILogger logger, string warning);

    [LoggerMessage(EventName = "Failed", Level = LogLevel.Critical, Message = "{Reason}")]
    public static partial void Failed(ILogger logger, string reason);

    [LoggerMessage(EventName = "InternalError", Level = LogLevel.Critical, Message = "Internal error")]
    public static partial void InternalError(ILogger logger, Exception error);
}
