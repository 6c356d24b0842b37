using System.Globalization;

namespace Strata.Server.Hosting;

/// <summary>What systemd says of its watchdog, in the process's environment: sd_watchdog_enabled(3).</summary>
internal static class SystemdWatchdog
{
    private const string TimeoutVariable = "WATCHDOG_USEC";
    private const string ProcessVariable = "WATCHDOG_PID";

    /// <summary>How often the server says that it is alive: twice in the time after which systemd kills it.</summary>
    /// <param name="warning">What the log should warn of; or null.</param>
    /// <returns>Null when systemd does not wait for it.</returns>
    public static TimeSpan? Interval(out string? warning)
        => Interval(
            Environment.GetEnvironmentVariable(TimeoutVariable),
            Environment.GetEnvironmentVariable(ProcessVariable),
            out warning);

    internal static TimeSpan? Interval(string? timeout, string? process, out string? warning)
    {
        warning = null;
        var own = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        if (string.IsNullOrEmpty(timeout) || !(string.IsNullOrEmpty(process) || process == own))
        {
            return null;
        }

        if (!long.TryParse(timeout, NumberStyles.None, CultureInfo.InvariantCulture, out var microseconds)
            || microseconds < ServerLimits.MinWatchdogMicroseconds)
        {
            warning = $"{TimeoutVariable} is {timeout}, which is no time from "
                + $"{ServerLimits.MinWatchdogMicroseconds} microseconds on: the watchdog is not told that the server "
                + "is alive. Set WatchdogSec in the unit.";
            return null;
        }

        return TimeSpan.FromMicroseconds(Math.Min(microseconds, ServerLimits.MaxWatchdogMicroseconds) / 2);
    }
}
