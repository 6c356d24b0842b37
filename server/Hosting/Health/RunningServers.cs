using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Strata.Server.Options;

namespace Strata.Server.Hosting.Health;

/// <summary>
/// The servers that run beside this process: whatever runs the same program in the same network namespace and listens.
/// In a container there is one, and its pid is 1, or another where an init or a pod's shared namespace has that.
/// </summary>
internal static class RunningServers
{
    private const string Processes = "/proc";
    private const string Replaced = " (deleted)"; // A program that was overwritten while it runs has this at its path.

    /// <summary>Looks for them.</summary>
    /// <param name="servers">The addresses that each of them listens on.</param>
    /// <param name="problem">Why there are none.</param>
    public static bool TryFind(out List<IReadOnlyList<EndPoint>> servers, out string problem)
    {
        servers = [];
        var program = PathOf($"{Processes}/self/exe");
        var network = LinkOf($"{Processes}/self/ns/net");
        var silent = new List<string>();
        var closed = new List<string>();
        foreach (var process in Directory.EnumerateDirectories(Processes).Where(IsOfAnother))
        {
            var pid = Path.GetFileName(process);
            if (LinkOf($"{process}/exe") is null)
            {
                if (MayRun(process, program))
                {
                    closed.Add(pid);
                }
            }
            else if (PathOf($"{process}/exe") == program && LinkOf($"{process}/ns/net") == network)
            {
                var addresses = AddressesOf(process, pid);
                if (addresses.Count > 0)
                {
                    servers.Add(addresses);
                }
                else
                {
                    silent.Add(pid);
                }
            }
        }

        problem = Explain(program, silent, closed);
        return servers.Count > 0;
    }

    private static string Explain(string? program, List<string> silent, List<string> closed) => (silent, closed) switch
    {
        ({ Count: > 0 }, _) => $"{program} runs (pid {string.Join(", ", silent)}) and does not listen",
        (_, { Count: > 0 }) =>
            $"{program} may run as process {string.Join(", ", closed)}, which this user may not look into: "
            + "run --health as the server's user, or with the server's own flags and conf",
        _ => $"no process runs {program}: give --health the server's own flags and conf where it runs elsewhere",
    };

    private static bool IsOfAnother(string process) =>
        int.TryParse(Path.GetFileName(process), CultureInfo.InvariantCulture, out var pid)
        && pid != Environment.ProcessId;

    private static List<EndPoint> AddressesOf(string process, string pid)
    {
        var addresses = new List<EndPoint>();
        try
        {
            var listening = ListeningTable.Read(process);
            foreach (var descriptor in Directory.EnumerateFileSystemEntries($"{process}/fd"))
            {
                if (LinkOf(descriptor) is ['s', 'o', 'c', 'k', 'e', 't', ':', '[', .. var inode, ']']
                    && listening.Remove(inode, out var address))
                {
                    if (!IsOfRuntime(address, pid))
                    {
                        addresses.Add(address);
                    }

                    if (listening.Count == 0)
                    {
                        break; // The thousands of its clients need not be looked at.
                    }
                }
            }
        }
        catch (Exception error) when (FileError.Is(error))
        {
            return []; // It has ended meanwhile.
        }

        return addresses;
    }

    /// <summary>Whether it is the socket that .NET's diagnostic tools come to, in every process of .NET.</summary>
    private static bool IsOfRuntime(EndPoint address, string pid) =>
        address is UnixDomainSocketEndPoint
        && Path.GetFileName(address.ToString())!.StartsWith($"dotnet-diagnostic-{pid}-", StringComparison.Ordinal);

    /// <summary>Whether a process that does not say what it executes has the program's name and is another user's: one
    /// of the same user is about to end.</summary>
    private static bool MayRun(string process, string? program)
    {
        try
        {
            var name = Path.GetFileName(program);
            var lines = File.ReadAllLines($"{process}/status");
            return lines.Contains($"Name:\t{name}") && !lines.Contains(UidOf($"{Processes}/self"));
        }
        catch (Exception error) when (FileError.Is(error))
        {
            return false;
        }
    }

    private static string UidOf(string process)
        => File.ReadLines($"{process}/status").First(line => line.StartsWith("Uid:", StringComparison.Ordinal));

    private static string? PathOf(string link) =>
        LinkOf(link) is { } path && path.EndsWith(Replaced, StringComparison.Ordinal)
            ? path[..^Replaced.Length]
            : LinkOf(link);

    /// <summary>What a link of /proc says; null when the process has ended or belongs to somebody else.</summary>
    private static string? LinkOf(string link)
    {
        try
        {
            return new FileInfo(link).LinkTarget;
        }
        catch (Exception error) when (FileError.Is(error))
        {
            return null;
        }
    }
}
