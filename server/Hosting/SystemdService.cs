using System.Net.Sockets;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.Systemd;
using Microsoft.Extensions.Logging;
using Strata.Server.Lifecycle;

namespace Strata.Server.Hosting;

/// <summary>Tells systemd that the server is ready, that it is alive, and that it stops (sd_notify(3)). What systemd
/// does not take is a warning in the log: the server goes on.</summary>
/// <param name="notifier">The way to systemd.</param>
/// <param name="engine">Asked whether it is alive; has started.</param>
/// <param name="logger">Takes the warnings.</param>
internal sealed class SystemdService(ISystemdNotifier notifier, IServerEngine engine, ILogger<SystemdService> logger)
    : IHostedService, IDisposable
{
    private readonly TaskCompletionSource _stopping = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private PeriodicTimer? _timer;
    private Task _watching = Task.CompletedTask;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        var interval = SystemdWatchdog.Interval(out var warning);
        if (warning != null)
        {
            HostingLog.Warning(logger, warning);
        }

        return StartAsync(interval);
    }

    /// <summary>The same where the watchdog is to be told so often; null for never.</summary>
    internal Task StartAsync(TimeSpan? interval)
    {
        Tell("READY=1\nSTATUS=Ready to accept connections");
        if (interval is { } time)
        {
            _timer = new PeriodicTimer(time);
            _watching = WatchAsync(_timer);
        }

        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    /// <remarks>From STOPPING on, systemd waits for TimeoutStopSec and no longer for the watchdog.</remarks>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        _stopping.SetResult();
        _timer?.Dispose();
        await _watching.ConfigureAwait(false);
        Tell("STOPPING=1\nSTATUS=Stopping: no new connections, replies under way are sent");
    }

    /// <inheritdoc/>
    public void Dispose() => _timer?.Dispose();

    /// <summary>Says that the server is alive as long as every worker makes turns: one that is stuck is what the
    /// watchdog is for.</summary>
    private async Task WatchAsync(PeriodicTimer timer)
    {
        while (await timer.WaitForNextTickAsync().ConfigureAwait(false))
        {
            var first = await Task.WhenAny(engine.TurnAsync(), _stopping.Task).ConfigureAwait(false);
            if (first == _stopping.Task)
            {
                return;
            }

            Tell("WATCHDOG=1");
        }
    }

    private void Tell(string state)
    {
        try
        {
            notifier.Notify(new ServiceState(state));
        }
        catch (Exception exception) when (exception is SocketException or ArgumentException)
        {
            var name = state.Split('\n')[0];
            HostingLog.Warning(
                logger,
                $"systemd was not told {name} by the socket in {Supervision.SocketVariable}: {exception.Message}. Is "
                + "NotifyAccess=main set in the unit, and the socket within the process's reach?");
        }
    }
}
