using System.Runtime.InteropServices;

namespace Strata.Tests.Support;

/// <summary>The few libc calls that tests of processes need.</summary>
public static partial class Posix
{
    public const int SigTerm = 15;
    public const int SigInt = 2;

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int pid, int signal);

    /// <summary>Sends a signal to one process.</summary>
    /// <exception cref="InvalidOperationException">The process is gone or not ours.</exception>
    public static void Signal(int pid, int signal)
    {
        if (Kill(pid, signal) != 0)
        {
            throw new InvalidOperationException(
                $"kill({pid}, {signal}) failed: {Marshal.GetLastPInvokeErrorMessage()}");
        }
    }

    /// <summary>The hard limit of open files, which children inherit.</summary>
    public static long MaxOpenFiles()
    {
        var line = File.ReadLines("/proc/self/limits").First(l =>
            l.StartsWith("Max open files", StringComparison.Ordinal));
        var hard = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[4];
        return hard == "unlimited" ? long.MaxValue : long.Parse(hard,
            System.Globalization.CultureInfo.InvariantCulture);
    }
}
