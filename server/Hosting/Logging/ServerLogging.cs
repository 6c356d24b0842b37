using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;
using Strata.Server.Options;

namespace Strata.Server.Hosting.Logging;

/// <summary>Sets logging up as the configuration has it.</summary>
internal static class ServerLogging
{
    /// <summary>
    /// Logs to standard output, with what ends the server on standard error, or to the log file. The level follows
    /// <c>loglevel</c> from line to line.
    /// </summary>
    /// <exception cref="ConfigurationException">The log file cannot be opened.</exception>
    public static void Configure(ILoggingBuilder logging, ConfigurationStore store)
    {
        var options = store.Current;
        ConsoleFormatter formatter =
            options.LogFormat == LogFormat.Json ? new JsonLogFormatter() : new PlainLogFormatter();
        logging.SetMinimumLevel(LogLevel.Trace);
        logging.AddFilter((category, level) =>
            level >= LogLevels.Lowest(store.Current.LogLevel) && !IsOfTheHost(category)
                && (level >= LogLevel.Warning || !IsOfTheFramework(category)));
        if (options.LogFilePath.Length > 0)
        {
            logging.AddProvider(new FileLoggerProvider(options.LogFilePath, formatter));
            return;
        }

        // AddConsole would bring formatters and settings that nobody uses, and a tenth of the time to start.
        logging.Services.AddSingleton(formatter);
        logging.Services.AddSingleton<ILoggerProvider, ConsoleLoggerProvider>();
        logging.Services.Configure<ConsoleLoggerOptions>(console =>
        {
            console.FormatterName = formatter.Name;
            console.LogToStandardErrorThreshold = LogLevel.Critical;
        });
    }

    /// <summary>
    /// The host logs each error that it also throws; the one line about it is <see cref="ServerHost"/>'s.
    /// </summary>
    private static bool IsOfTheHost(string? category) =>
        category?.StartsWith("Microsoft.Extensions.Hosting.", StringComparison.Ordinal) ?? false;

    /// <summary>What serves <c>metrics-port</c> tells of each request, two lines a second where it is scraped, and of
    /// its start, which the server itself does.</summary>
    private static bool IsOfTheFramework(string? category) =>
        category?.StartsWith("Microsoft.", StringComparison.Ordinal) ?? false;
}
