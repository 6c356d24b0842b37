using System.Runtime.InteropServices;

namespace Strata.Server.Hosting;

/// <summary>SIGHUP, which comes when a terminal is closed, and from those who turn log files over. As Redis, the server
/// goes on: its log file is opened anew for each line.</summary>
internal static class HangUpSignal
{
    /// <summary>Ignores the signal from now on.</summary>
    /// <returns>Ends that when it is disposed of.</returns>
    public static IDisposable Ignore()
        => PosixSignalRegistration.Create(PosixSignal.SIGHUP, static context => context.Cancel = true);
}
