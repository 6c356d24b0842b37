using NUnit.Framework;
using Strata.Server;
using Strata.Server.Lifecycle;
using Strata.Storage.Log;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Persistence.Damage;

/// <summary>A server in the tests' process on a folder of data, reached by a Unix socket.</summary>
internal sealed class RestartedServer : IDisposable
{
    private static readonly PageKind[] s_hot =
        [PageKind.Probation, PageKind.Main, PageKind.Writing, PageKind.Clean];

    private static int s_sockets;

    private readonly StrataServer _server;
    private readonly string _socket;

    /// <summary>Starts it; what it loads is there when this returns.</summary>
    /// <param name="folder">Where its data lies.</param>
    /// <param name="flags">What else it is started with.</param>
    /// <param name="prepare">Done with it before it starts.</param>
    /// <exception cref="StartupException">It refuses to.</exception>
    public RestartedServer(string folder, IEnumerable<string> flags, Action<StrataServer>? prepare = null)
    {
        _socket = Path.Combine(
            Path.GetTempPath(), $"strata-{Environment.ProcessId}-{Interlocked.Increment(ref s_sockets)}.socket");
        _server = UnstartedServer.Create(
            ["--port", "0", "--unixsocket", _socket, "--dir", folder, .. flags], log: Log);
        try
        {
            prepare?.Invoke(_server);
            _server.Start();
        }
        catch (StartupException)
        {
            _server.Dispose();
            throw;
        }
    }

    /// <summary>What it has warned of.</summary>
    public RestartLog Log { get; } = new();

    /// <summary>Pages that are on the device alone.</summary>
    public int ColdPages => _server.Context.Shards.All.ToArray().Sum(static shard => shard.Log.Device?.ColdPages ?? 0);

    /// <summary>Pages that are in memory.</summary>
    public int HotPages => _server.Context.Shards.All.ToArray().Sum(static shard => s_hot.Sum(
        kind => shard.Log.Queue(kind).Count));

    /// <summary>Whether everything leaves memory as soon as it can.</summary>
    public bool IsEager
    {
        set => _server.Context.Shards.Tier!.IsEager = value;
    }

    /// <summary>Connects a client.</summary>
    public RespConnection Connect() => RespConnection.ConnectUnix(_socket);

    /// <inheritdoc/>
    public void Dispose()
    {
        _server.Stop(TimeSpan.FromSeconds(10));
        var code = _server.Context.Shutdown.ExitCode;
        _server.Dispose();
        Assert.That(code, Is.EqualTo(ExitCode.Ok), "no worker failed");
    }
}
