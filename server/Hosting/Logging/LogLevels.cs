using Microsoft.Extensions.Logging;
using Strata.Server.Options;

namespace Strata.Server.Hosting.Logging;

/// <summary>How Redis's levels and .NET's correspond: debug is Trace, verbose Debug, notice Information.</summary>
internal static class LogLevels
{
    /// <summary>The lowest of .NET's levels that is logged at a verbosity.</summary>
    public static LogLevel Lowest(LogVerbosity verbosity) => verbosity switch
    {
        LogVerbosity.Debug => LogLevel.Trace,
        LogVerbosity.Verbose => LogLevel.Debug,
        LogVerbosity.Notice => LogLevel.Information,
        LogVerbosity.Nothing => LogLevel.None,
        _ => LogLevel.Warning,
    };

    /// <summary>The mark of a level in a plain line, as Redis has it.</summary>
    public static char ToMark(LogLevel level) => level switch
    {
        LogLevel.Trace => '.',
        LogLevel.Debug => '-',
        LogLevel.Information => '*',
        _ => '#',
    };

    /// <summary>
    /// The name of a level in a JSON line; errors and what ends the server have names beyond Redis's.
    /// </summary>
    public static string ToName(LogLevel level) => level switch
    {
        LogLevel.Trace => "debug",
        LogLevel.Debug => "verbose",
        LogLevel.Information => "notice",
        LogLevel.Warning => "warning",
        LogLevel.Error => "error",
        _ => "critical",
    };
}
