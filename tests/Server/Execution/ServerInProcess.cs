using NUnit.Framework;
using Strata.Server;
using Strata.Server.Commands.Model;
using Strata.Server.Lifecycle;
using Strata.Storage.Devices;
using Strata.Storage.Sharding;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>A server inside the tests' process, on a Unix socket and, for a tier, on a device of the test's.</summary>
internal sealed class ServerInProcess : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("strata-in-process").FullName;
    private readonly StrataServer _server;

    public ServerInProcess(IDevice? device, params string[] flags)
        : this(device, change: null, flags)
    {
    }

    /// <summary>A server with commands of the test's.</summary>
    public ServerInProcess(IDevice? device, Func<CommandRow, CommandRow>? change, params string[] flags)
    {
        var tier = device == null ? "no" : "yes";
        _server = UnstartedServer.Create(
            ["--port", "0", "--unixsocket", SocketPath, "--dir", _folder, "--storage-tier", tier, .. flags],
            device,
            change: change);
        _server.Start();
    }

    /// <summary>The server itself; its data is looked at under the leases.</summary>
    public StrataServer Server => _server;

    private string SocketPath => Path.Combine(_folder, "socket");

    public RespConnection Connect() => RespConnection.ConnectUnix(SocketPath);

    /// <summary>Looks at each shard on a worker's thread, under its lease: with one worker nobody else may take that.
    /// </summary>
    public void Visit(Action<Shard> look)
    {
        var visit = new Task(() =>
        {
            foreach (var shard in _server.Context.Shards.All)
            {
                var isFree = SpinWait.SpinUntil(shard.Lease.TryAcquireSpinning, Patience.Ms);
                Assert.That(isFree, $"the lease of shard {shard.Number} is given back");
                try
                {
                    look(shard);
                }
                finally
                {
                    shard.Lease.Release();
                }
            }
        });
        _server.Workers[0].Post(() => visit.RunSynchronously());
        Assert.That(Task.WaitAny([visit], 2 * Patience.Ms), Is.Zero, "the worker lives");
        visit.GetAwaiter().GetResult();
    }

    public void Dispose()
    {
        _server.Stop(TimeSpan.FromMilliseconds(Patience.Ms));
        Assert.That(_server.Context.Shutdown.ExitCode, Is.EqualTo(ExitCode.Ok), "no worker failed");
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
