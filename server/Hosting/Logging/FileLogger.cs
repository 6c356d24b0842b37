using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Logging.Console;

namespace Strata.Server.Hosting.Logging;

/// <summary>Makes lines of one category's events.</summary>
/// <param name="category">The category.</param>
/// <param name="formatter">Gives a line its form.</param>
/// <param name="append">Takes a line with its line break; may be called by several threads at once.</param>
internal sealed class FileLogger(string category, ConsoleFormatter formatter, Action<string> append) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatMessage)
    {
        using var line = new StringWriter();
        var entry = new LogEntry<TState>(logLevel, category, eventId, state, exception, formatMessage);
        formatter.Write(in entry, scopeProvider: null, line);
        append(line.ToString());
    }
}
