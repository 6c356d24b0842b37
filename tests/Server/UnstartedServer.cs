using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Strata.Server;
using Strata.Server.Commands;
using Strata.Server.Commands.Model;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Storage.Devices;
using Strata.Storage.Runtime;
using Strata.Tests.Server.Options;

namespace Strata.Tests.Server;

/// <summary>Servers inside the tests' process, as they are before they are started.</summary>
internal static class UnstartedServer
{
    /// <summary>Makes a server, which logs failures alone and ends no process.</summary>
    /// <param name="arguments">What the program would be started with.</param>
    /// <param name="device">Where data goes that does not fit into memory; null for files, if there is a tier.</param>
    /// <param name="platform">Clock, pollers and random numbers; the machine's by default.</param>
    /// <param name="change">Puts other rows in the place of the server's commands.</param>
    /// <param name="log">Takes what it logs; null for failures alone.</param>
    public static StrataServer Create(
        IReadOnlyList<string> arguments,
        IDevice? device = null,
        Platform? platform = null,
        Func<CommandRow, CommandRow>? change = null,
        ILogger<StrataServer>? log = null)
    {
        var lifetime = new ApplicationLifetime(NullLogger<ApplicationLifetime>.Instance);
        var loaded = Loading.Load(["--save", "", .. arguments]);
        return StrataServer.Create(
            new ConfigurationStore(loaded.Options, null) { Users = loaded.Users, Renames = loaded.Renames },
            new ServerShutdown(lifetime, new FailureLog<ServerShutdown>()),
            log ?? new FailureLog<StrataServer>(),
            device,
            platform,
            change == null ? null : new CommandTable([.. CommandList.Table.Rows.Select(change)]));
    }

    /// <summary>Opens the tier of workers that take turns on the test's thread, which no thread of theirs does.
    /// </summary>
    public static void OpenTier(StrataServer server)
    {
        if (server.Context.Shards.Tier is { } tier)
        {
            foreach (var worker in server.Workers)
            {
                worker.OpenTier(tier);
            }
        }
    }
}
