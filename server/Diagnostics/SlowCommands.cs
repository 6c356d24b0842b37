using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Server.Resp;

namespace Strata.Server.Diagnostics;

/// <summary>Decides on one worker which commands were slow, for the slow log and for the latency monitor: one
/// comparison with <see cref="ThresholdNanoseconds"/> for all others.</summary>
public sealed class SlowCommands
{
    private const long NanosecondsPerMicrosecond = 1_000;
    private const long NanosecondsPerMillisecond = 1_000_000;

    private readonly SlowLog _log;
    private readonly SlowLogChain _chain;
    private readonly LatencyMonitor _monitor;
    private readonly TimeProvider _clock;
    private ServerOptions? _options;
    private long _logThresholdNanoseconds = long.MaxValue;
    private long _monitorThresholdNanoseconds = long.MaxValue;

    /// <summary>The watch of one worker.</summary>
    public SlowCommands(ServerDiagnostics diagnostics, int worker)
    {
        _log = diagnostics.SlowLog;
        _chain = _log.Of(worker);
        _monitor = diagnostics.LatencyMonitor;
        _clock = diagnostics.Clock;
    }

    /// <summary>Commands that took less are of no interest.</summary>
    public long ThresholdNanoseconds { get; private set; } = long.MaxValue;

    /// <summary>Takes over the configuration; called on the worker every turn.</summary>
    public void Use(ServerOptions options)
    {
        if (ReferenceEquals(options, _options))
        {
            return;
        }

        _options = options;
        var logFrom = options.SlowlogLogSlowerThanMicroseconds;
        _logThresholdNanoseconds = logFrom < 0 || options.SlowlogMaxLength == 0
            ? long.MaxValue
            : Multiply(logFrom, NanosecondsPerMicrosecond);
        var monitorFrom = options.LatencyMonitorThresholdMs;
        _monitorThresholdNanoseconds = monitorFrom == 0
            ? long.MaxValue
            : Multiply(monitorFrom, NanosecondsPerMillisecond);
        ThresholdNanoseconds = Math.Min(_logThresholdNanoseconds, _monitorThresholdNanoseconds);
    }

    /// <summary>Takes in a command that took <see cref="ThresholdNanoseconds"/> or longer.</summary>
    public void Add(CommandClient client, CommandRow row, in Request request, long nanoseconds)
    {
        if (nanoseconds >= _logThresholdNanoseconds && !row.Has(CommandFlags.SkipSlowlog))
        {
            var entry = new SlowLogEntry(
                _log.NextId(),
                _clock.GetUtcNow().ToUnixTimeMilliseconds(),
                nanoseconds / NanosecondsPerMicrosecond,
                SlowLogArguments.Copy(row, request),
                client.Address.RemoteText,
                client.Name);
            _chain.Add(entry, _options!.SlowlogMaxLength, _log.FirstId);
        }

        if (nanoseconds >= _monitorThresholdNanoseconds)
        {
            _monitor.Add(
                row.Has(CommandFlags.Fast) ? LatencyMonitor.FastCommand : LatencyMonitor.Command,
                nanoseconds / NanosecondsPerMillisecond);
        }
    }

    /// <summary>Frees the entries that a reset or a shorter limit left behind; called on the worker now and then.
    /// </summary>
    public void Trim() => _chain.Trim(_options?.SlowlogMaxLength ?? 0, _log.FirstId);

    private static long Multiply(long value, long factor)
        => value > long.MaxValue / factor ? long.MaxValue : value * factor;
}
