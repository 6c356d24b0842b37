using System.Globalization;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Logging.Console;

namespace Strata.Server.Hosting.Logging;

/// <summary>
/// One line of text for each event, in the shape of Redis's log: <c>pid:M 21 Nov 2026 08:13:15.871 * message</c>, in
/// local time. Line breaks become blanks, in a stack trace bars, so that an event never is two lines.
/// </summary>
internal sealed class PlainLogFormatter() : ConsoleFormatter(FormatterName)
{
    public const string FormatterName = "strata-plain";

    public override void Write<TState>(
        in LogEntry<TState> logEntry,
        IExternalScopeProvider? scopeProvider,
        TextWriter textWriter)
    {
        var time = DateTime.Now.ToString("dd MMM yyyy HH:mm:ss.fff", CultureInfo.InvariantCulture);
        textWriter.Write(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Environment.ProcessId}:M {time} {LogLevels.ToMark(logEntry.LogLevel)} "));
        textWriter.Write(logEntry.Formatter(logEntry.State, logEntry.Exception).ReplaceLineEndings(" "));
        if (logEntry.Exception is { } exception)
        {
            textWriter.Write(": ");
            textWriter.Write(exception.ToString().ReplaceLineEndings(" |"));
        }

        textWriter.Write('\n');
    }
}
