using System.Collections;
using System.Net;
using System.Net.Sockets;
using Strata.Server.Lifecycle;
using Strata.Server.Options;

namespace Strata.Server.Hosting.Health;

/// <summary>
/// The program's flag <c>--health</c>: whether the server answers, for a container's health check and Kubernetes'
/// probes. A conf file or keys among the arguments say where it listens, as they say it to the server itself; without
/// them it is whatever runs beside this process from the same program (<see cref="RunningServers"/>), be its port from
/// a flag, the environment, a conf or CONFIG SET. Of several addresses one that answers is enough.
/// </summary>
internal static class HealthCheck
{
    /// <summary>Asks, and prints one line for each server.</summary>
    /// <returns><see cref="ExitCode.Ok"/> when all of them answer.</returns>
    /// <exception cref="ConfigurationException">The arguments say where, and are wrong.</exception>
    public static ExitCode Run(ProgramArguments arguments, IDictionary environment)
    {
        if (arguments.NamesConfiguration)
        {
            return Report(AddressesOf(ConfigurationLoader.Load(arguments, environment).Options));
        }

        if (!RunningServers.TryFind(out var servers, out var problem))
        {
            return Unhealthy(problem);
        }

        // All are asked, so that the lines tell of each.
        var codes = servers.ConvertAll(Report);
        return codes.TrueForAll(code => code == ExitCode.Ok) ? ExitCode.Ok : ExitCode.Unhealthy;
    }

    /// <summary>Where a configuration makes the server listen, as far as that can be told.</summary>
    /// <exception cref="ConfigurationException">Nowhere.</exception>
    internal static List<EndPoint> AddressesOf(ServerOptions options)
    {
        var addresses = new List<EndPoint>();
        foreach (var port in (int[])[options.Port, options.TlsPort])
        {
            foreach (var bind in port == 0 ? [] : options.Binds)
            {
                addresses.AddRange(Resolve(bind).Select(address => new IPEndPoint(address, port)));
            }
        }

        if (options.UnixSocketPath.Length > 0)
        {
            var folder = Path.GetFullPath(options.Directory);
            if (PingProbe.UnixAddress(Path.GetFullPath(options.UnixSocketPath, folder)) is { } address)
            {
                addresses.Add(address);
            }
        }

        return addresses.Count > 0
            ? addresses
            : throw new ConfigurationException("The configuration names no address that a PING could be sent to");
    }

    private static IPAddress[] Resolve(BindAddress bind)
    {
        try
        {
            return bind.Resolve();
        }
        catch (SocketException)
        {
            return []; // The others count; the server says at its start what is wrong with this one.
        }
    }

    private static ExitCode Report(IReadOnlyList<EndPoint> addresses)
    {
        // A server that hangs does so on all of its addresses: they share the time.
        var deadline = Environment.TickCount64 + ServerLimits.HealthCheckMs;
        var problems = new List<string>();
        foreach (var address in addresses)
        {
            var left = (int)(deadline - Environment.TickCount64);
            if (left <= 0)
            {
                break;
            }

            if (PingProbe.Answers(address, left, out var said))
            {
                ProgramOutput.Out.Write($"{said}\n");
                return ExitCode.Ok;
            }

            problems.Add(said);
        }

        return Unhealthy(string.Join("; ", problems));
    }

    private static ExitCode Unhealthy(string problem)
    {
        _ = ProgramOutput.TryTellError($"strata-server: {problem}");
        return ExitCode.Unhealthy;
    }
}
