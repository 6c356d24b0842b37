using Strata.Server.Lifecycle;
using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Runtime;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>
/// The handshakes of TLS, on a thread of their own: a step of one is a signature, as much work as hundreds of commands
/// or, with a long key, thousands, and whoever comes can ask for it. What clients' commands need goes first: where
/// processors are few, the system lets workers run before this thread. Handshakes that are not over are bounded in
/// number and time; when there are too many, the oldest is the one that goes.
/// </summary>
/// <remarks>On the thread of the handshakes only, except where a member says otherwise.</remarks>
internal sealed class TlsHandshakes : IWorkerDuties, IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly LinkedList<Handshake> _underWay = [];
    private readonly Quiescence _quiescence = new(workers: 1);
    private readonly TlsEngine _engine;
    private readonly ServerContext _server;
    private Worker? _worker;
    private bool _isBehindWorkers;

    public TlsHandshakes(ServerContext server)
    {
        _server = server;
        _engine = new TlsEngine(Budget);
    }

    /// <summary>Handshakes that came to their end; any thread may read it.</summary>
    public long Established { get; private set; }

    /// <summary>Handshakes that failed, or took too long; any thread may read it.</summary>
    public long Failed { get; private set; }

    /// <summary>Handshakes that are not over; any thread may read it.</summary>
    public int UnderWay { get; private set; }

    /// <summary>What their memory is charged to; any thread.</summary>
    public MemoryBudget Budget => _server.Shards.Budget;

    /// <summary>What watches their sockets.</summary>
    public IPoller Poller => _worker!.Poller;

    private ServerLog Log => _server.Log;

    /// <summary>Starts the thread, if it was not; before the workers run, or on the first of them.</summary>
    /// <exception cref="IOException">No file descriptors are to be had.</exception>
    /// <exception cref="OutOfMemoryException">No thread is to be had.</exception>
    public void Start()
    {
        if (_worker == null)
        {
            var worker = new Worker(number: 0, _quiescence, this, _server.Platform, name: "tls-handshakes");
            try
            {
                worker.Start();
            }
            catch (OutOfMemoryException)
            {
                worker.Dispose();
                throw;
            }

            _worker = worker;
        }
    }

    /// <summary>Has a handshake made. Any thread, after <see cref="Start"/>.</summary>
    /// <param name="context">What the connection is made from.</param>
    /// <param name="fd">The accepted socket, which does not block, and which is taken over.</param>
    /// <param name="address">The client's.</param>
    /// <param name="end">Takes the connection over, on the thread of the handshakes; is told by null that it has
    /// failed.</param>
    public void Add(TlsContext context, int fd, ClientAddress address, Action<TlsConnection?> end)
        => _worker!.Post(new Handshake(this, context, new ClientSocket(fd), address, end));

    /// <summary>Makes the server's end of a connection.</summary>
    /// <returns>Null when the system gives no memory.</returns>
    public TlsConnection? Connect(TlsContext context, int socket)
        => _engine.TryOpen() ? context.Connect(_engine, socket) : null;

    /// <summary>A handshake begins.</summary>
    public void Begin(Handshake handshake)
    {
        if (_underWay.Count >= ServerLimits.MaxHandshakes)
        {
            GiveUp(_underWay.First!.Value, "there are too many that are not over");
        }

        handshake.Place = _underWay.AddLast(handshake);
        UnderWay = _underWay.Count;
    }

    /// <summary>A handshake has come to its end.</summary>
    public void Establish(Handshake handshake)
    {
        Leave(handshake);
        Established++;
    }

    /// <summary>A handshake does not come to its end: its socket is closed.</summary>
    public void GiveUp(Handshake handshake, string reason)
    {
        Leave(handshake);
        Failed++;
        Log.HandshakeFailed(handshake.Address.ToString(), reason);
        handshake.Fail();
    }

    /// <inheritdoc/>
    public void OnTurn(Worker worker)
    {
        if (!_isBehindWorkers)
        {
            _isBehindWorkers = true;
            ThreadScheduling.BeNicer(ServerLimits.HandshakesNice);
        }
    }

    /// <inheritdoc/>
    public bool OnWait(Worker worker) => true;

    /// <inheritdoc/>
    public void OnTick(Worker worker, long elapsedMs)
    {
        while (_underWay.First is { } oldest
            && Math.Abs(worker.NowMs - oldest.Value.SinceMs) > ServerLimits.HandshakeMs)
        {
            GiveUp(oldest.Value, "it takes too long");
        }
    }

    /// <inheritdoc/>
    public void OnFault(Worker worker, Exception exception)
    {
        Log.HandshakesFault(exception);
        _server.Shutdown.Fail(ExitCode.Internal, $"TLS handshakes failed by an internal error: {exception.Message}");
    }

    /// <summary>Ends the thread, and the handshakes that are not over; when the workers have ended.</summary>
    public void Dispose()
    {
        if (_worker != null)
        {
            _worker.Stop();
            if (!_worker.Join(s_patience))
            {
                return; // It uses the memory still; the end of the process frees it.
            }

            while (_underWay.First is { } handshake)
            {
                Leave(handshake.Value);
                handshake.Value.Fail();
            }

            _worker.Dispose();
            _worker = null;
        }

        _engine.Dispose();
        _quiescence.Dispose();
    }

    private void Leave(Handshake handshake)
    {
        _underWay.Remove(handshake.Place!);
        UnderWay = _underWay.Count;
    }
}
