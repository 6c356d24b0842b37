using System.Globalization;
using System.Runtime.InteropServices;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Options.Keys;

namespace Strata.Server.Hosting;

/// <summary>The limit of open files (<c>ulimit -n</c>), which bounds how many clients can be connected.</summary>
internal static partial class OpenFilesLimit
{
    /// <summary>
    /// Files that the server needs besides its clients' sockets: the runtime's, the log's, the listeners'.
    /// </summary>
    public const long Reserved = 160;

    /// <summary>Files that each worker needs.</summary>
    public const long ReservedPerWorker = 4;

    private const int NoFile = 7;

    /// <summary>
    /// Raises the limit to what the options need, and where that does not succeed, lowers <c>maxclients</c> to what
    /// fits.
    /// </summary>
    /// <param name="options">The options asked for.</param>
    /// <param name="warn">Takes a warning when fewer clients than asked for can connect.</param>
    /// <returns>The options that can be had.</returns>
    /// <exception cref="StartupException">Not a single client would fit.</exception>
    public static ServerOptions Fit(ServerOptions options, Action<string> warn)
    {
        var reserved = ReservedFor(options);
        var wanted = options.MaxClients + reserved;
        var limit = Raise(wanted);
        if (limit >= wanted)
        {
            return options;
        }

        var clients = limit - reserved;
        if (clients < 1)
        {
            throw new StartupException(
                ExitCode.Resources,
                $"The limit of open files is {limit}, and the server alone needs {reserved}: "
                + $"raise it with ulimit -n {wanted}");
        }

        warn($"maxclients {options.MaxClients} needs {wanted} open files and the limit is {limit}: "
            + $"lowered to {clients}. For more clients, raise the limit with ulimit -n {wanted} before the start.");
        var text = clients.ToString(CultureInfo.InvariantCulture);
        return new ServerOptions(options.Values.With(ClientKeys.MaxClients, text));
    }

    /// <summary>Puts a new <c>maxclients</c> into effect: see <see cref="ApplyConfiguration"/>.</summary>
    public static string? Apply(ServerOptions previous, ServerOptions next)
    {
        var clients = Raise(next.MaxClients + ReservedFor(next)) - ReservedFor(next);
        return clients >= next.MaxClients
            ? null
            : "The operating system is not able to handle the specified number of clients, "
                + $"try with {Math.Max(clients, previous.MaxClients)}";
    }

    private static long ReservedFor(ServerOptions options) => Reserved + (ReservedPerWorker * options.WorkerCount);

    /// <summary>
    /// Raises the limit as far as the kernel allows, at most to what is wanted; gives the limit then in force.
    /// </summary>
    private static long Raise(long wanted)
    {
        var before = Get();
        if ((long)before.Soft >= wanted)
        {
            return (long)before.Soft;
        }

        // Beyond the hard limit only a privileged process gets; up to it, everybody.
        var target = new Limit { Soft = (ulong)wanted, Hard = Math.Max(before.Hard, (ulong)wanted) };
        if (SetResourceLimit(NoFile, in target) != 0)
        {
            target = new Limit { Soft = Math.Min(before.Hard, (ulong)wanted), Hard = before.Hard };
            _ = SetResourceLimit(NoFile, in target);
        }

        return (long)Get().Soft;
    }

    private static Limit Get() => GetResourceLimit(NoFile, out var limit) == 0
        ? new Limit { Soft = Math.Min(limit.Soft, long.MaxValue), Hard = limit.Hard }
        : throw new StartupException(
            ExitCode.Resources,
            $"The limit of open files cannot be read: {Marshal.GetLastPInvokeErrorMessage()}");

    [LibraryImport("libc", EntryPoint = "getrlimit", SetLastError = true)]
    private static partial int GetResourceLimit(int resource, out Limit limit);

    [LibraryImport("libc", EntryPoint = "setrlimit", SetLastError = true)]
    private static partial int SetResourceLimit(int resource, in Limit limit);

    /// <summary>The C library's <c>struct rlimit</c> on 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Limit
    {
        public ulong Soft;
        public ulong Hard;
    }
}
