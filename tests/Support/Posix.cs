using System.Runtime.InteropServices;

namespace Strata.Tests.Support;

/// <summary>The few libc calls that tests of processes need.</summary>
public static partial class Posix
{
    public const int SigTerm = 15;
    public const int SigInt = 2;

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int pid, int signal);

    [LibraryImport("libc", EntryPoint = "prlimit", SetLastError = true)]
    private static unsafe partial int SetLimit(int pid, int resource, ulong* softAndHard, ulong* before);

    /// <summary>Returns the user before, not an error: asked again, it tells whether the change was made.</summary>
    [LibraryImport("libc", EntryPoint = "setfsuid")]
    private static partial int SetFileSystemUser(uint user);

    /// <summary>Lets the calling thread, alone, open files as the user nobody would, if it may do more. Other users
    /// keep their own rights. For a thread that ends soon: there is no way back.</summary>
    public static void BecomeNobodyForFiles()
    {
        const uint Nobody = 65534;
        const uint NoUser = uint.MaxValue;
        var isRoot = SetFileSystemUser(NoUser) == 0;
        _ = SetFileSystemUser(Nobody);
        if (isRoot && SetFileSystemUser(NoUser) != Nobody)
        {
            throw new InvalidOperationException("setfsuid changed nothing");
        }
    }

    /// <summary>Leaves a process so many file descriptors; those that it has stay open.</summary>
    /// <exception cref="InvalidOperationException">The process is gone or not ours.</exception>
    public static unsafe void LimitDescriptors(int pid, int most)
    {
        const int OpenFiles = 7; // RLIMIT_NOFILE
        var limits = stackalloc ulong[2]; // The soft one and the hard one, which stays.
        if (SetLimit(pid, OpenFiles, null, limits) != 0 || SetLimit(pid, OpenFiles, WithSoft(limits, most), null) != 0)
        {
            throw new InvalidOperationException($"prlimit({pid}) failed: {Marshal.GetLastPInvokeErrorMessage()}");
        }

        static ulong* WithSoft(ulong* limits, int soft)
        {
            limits[0] = (ulong)soft;
            return limits;
        }
    }

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
