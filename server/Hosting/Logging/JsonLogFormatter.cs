using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Logging.Console;

namespace Strata.Server.Hosting.Logging;

/// <summary>
/// One JSON object a line for each event: <c>time</c> (UTC, ISO 8601), <c>level</c>, <c>pid</c>, <c>category</c>,
/// <c>event</c>, <c>message</c>, and <c>exception</c> when there is one.
/// </summary>
internal sealed class JsonLogFormatter() : ConsoleFormatter(FormatterName)
{
    public const string FormatterName = "strata-json";

    private const string TimeFormat = "yyyy-MM-dd'T'HH:mm:ss.fff'Z'";

    private static readonly JsonWriterOptions s_options = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public override void Write<TState>(
        in LogEntry<TState> logEntry,
        IExternalScopeProvider? scopeProvider,
        TextWriter textWriter)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, s_options))
        {
            json.WriteStartObject();
            json.WriteString("time", DateTime.UtcNow.ToString(TimeFormat, CultureInfo.InvariantCulture));
            json.WriteString("level", LogLevels.ToName(logEntry.LogLevel));
            json.WriteNumber("pid", Environment.ProcessId);
            json.WriteString("category", logEntry.Category);
            json.WriteString("event", logEntry.EventId.Name);
            json.WriteString("message", logEntry.Formatter(logEntry.State, logEntry.Exception));
            if (logEntry.Exception is { } exception)
            {
                json.WriteString("exception", exception.ToString());
            }

            json.WriteEndObject();
        }

        textWriter.Write(Encoding.UTF8.GetString(buffer.WrittenSpan));
        textWriter.Write('\n');
    }
}
