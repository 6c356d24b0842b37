using System.Diagnostics;
using System.Globalization;
using System.Text;
using Strata.Server.Diagnostics;
using Strata.Server.Lifecycle;
using Strata.Server.Versions;

namespace Strata.Server.Metrics;

/// <summary>
/// Makes an activity of each command that has come to the slow log, afterwards and on a thread of its own: executing
/// commands costs nothing for it. Names as OpenTelemetry has them for databases (semantic conventions 1.37, Redis). Of
/// the arguments it has only how many there were, since it leaves the server; SLOWLOG GET has them, under the same
/// number.
/// </summary>
internal sealed class SlowCommandSpans : IDisposable
{
    private const int MostArguments = 16;

    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(1);

    private readonly SlowLog _log;
    private readonly ActivitySource _source = new(IServerObserver.TelemetryName, ProductVersion.Text);
    private readonly Timer _timer;
    private readonly Lock _lock = new();

    // Of each worker the number of the last entry that was looked at.
    private readonly long[] _seen;
    private bool _hasEnded;

    /// <summary>Begins with what the slow log has.</summary>
    /// <param name="log">The slow log.</param>
    /// <param name="workers">How many workers write it.</param>
    public SlowCommandSpans(SlowLog log, int workers)
    {
        _log = log;
        _seen = new long[workers];
        _seen.AsSpan().Fill(-1);
        _timer = new Timer(_ => Look(), null, s_period, s_period);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer.Dispose();
        Look();
        lock (_lock)
        {
            _hasEnded = true;
        }

        _source.Dispose();
    }

    private void Look()
    {
        lock (_lock)
        {
            if (_hasEnded)
            {
                return;
            }

            foreach (var entry in _log.TakeNew(_seen))
            {
                Tell(entry);
            }
        }
    }

    private void Tell(SlowLogEntry entry)
    {
        var name = Encoding.UTF8.GetString(entry.Arguments[0]).ToUpperInvariant();
        var end = DateTimeOffset.FromUnixTimeMilliseconds(entry.UnixMs);
        var duration = TimeSpan.FromMicroseconds(entry.Microseconds);
        using var activity = _source.StartActivity(
            ActivityKind.Server,
            parentContext: default,
            [
                new("db.system.name", "redis"),
                new("db.operation.name", name),
                new("db.query.text", TextOf(name, entry.Arguments.Count - 1)),
                new("client.address", AddressOf(entry.ClientAddress, out var port)),
                new("client.port", port),
                new("strata.client.name", entry.ClientName),
                new("strata.slowlog.id", entry.Id),
            ],
            startTime: end - duration,
            name: name);
        _ = activity?.SetEndTime(end.UtcDateTime);
    }

    private static string TextOf(string name, int arguments)
        => name + string.Concat(Enumerable.Repeat(" ?", Math.Min(arguments, MostArguments)));

    private static string AddressOf(string text, out int? port)
    {
        var colon = text.LastIndexOf(':');
        port = int.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
        return port == null ? text : text[..colon].Trim('[', ']');
    }
}
