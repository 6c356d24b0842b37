using Strata.Server.Lifecycle;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>
/// TLS on one worker. A step of a handshake is as much work as hundreds of commands, and whoever comes can ask for it:
/// so in a turn only so many are made, and the others have their turn in the next. Handshakes that are not over are
/// bounded in number and time; when there are too many, the oldest is the one that goes. Worker's thread only, except
/// where a member says otherwise.
/// </summary>
internal sealed class TlsWorker : IDisposable
{
    private static readonly TimeSpan s_shareOfTurn = TimeSpan.FromMicroseconds(ServerLimits.HandshakesMicroseconds);

    private readonly WorkerContext _worker;
    private readonly LinkedList<Handshake> _handshakes = [];
    private TlsEngine? _engine;
    private long _turn = -1;
    private long _stepStarted;
    private long _stepEnded;
    private TimeSpan _stepsTook;

    public TlsWorker(WorkerContext worker)
    {
        _worker = worker;
    }

    /// <summary>Handshakes that came to their end; any thread may read it.</summary>
    public long Established { get; private set; }

    /// <summary>Handshakes that failed, or took too long; any thread may read it.</summary>
    public long Failed { get; private set; }

    /// <summary>Handshakes that are not over; any thread may read it.</summary>
    public int UnderWay { get; private set; }

    private TimeProvider Clock => _worker.Server.Platform.Clock;

    private ServerLog Log => _worker.Server.Log;

    /// <summary>Makes the server's end of a connection.</summary>
    /// <returns>Null when the system gives no memory.</returns>
    public TlsConnection? Connect(TlsContext context, int socket)
    {
        if (_engine == null && (_engine = TlsEngine.Open()) != null)
        {
            _worker.Budget.Charge(ServerLimits.BytesPerTlsWorker);
        }

        return _engine == null ? null : context.Connect(_engine, socket);
    }

    /// <summary>A handshake begins.</summary>
    public void Begin(TlsLink link, Connection connection)
    {
        if (_handshakes.Count >= ServerLimits.MaxHandshakesPerWorker)
        {
            GiveUp(_handshakes.First!.Value, "there are too many that are not over");
        }

        link.Handshake = _handshakes.AddLast(new Handshake(link, connection, _worker.Worker.NowMs));
        UnderWay = _handshakes.Count;
    }

    /// <summary>Whether a step of a handshake may be made now; then it is, and <see cref="EndStep"/> follows.</summary>
    public bool TryBeginStep()
    {
        // In the midst of a slow script there are no other turns, but as much time for others.
        if (_turn != _worker.Worker.Turns || Clock.GetElapsedTime(_stepEnded) > s_shareOfTurn)
        {
            _turn = _worker.Worker.Turns;
            _stepsTook = TimeSpan.Zero;
        }

        _stepStarted = Clock.GetTimestamp();
        return _stepsTook < s_shareOfTurn;
    }

    /// <summary>A step was made.</summary>
    public void EndStep()
    {
        _stepEnded = Clock.GetTimestamp();
        _stepsTook += Clock.GetElapsedTime(_stepStarted, _stepEnded);
    }

    /// <summary>A handshake has come to its end.</summary>
    public void Establish(TlsLink link)
    {
        Leave(link);
        Established++;
    }

    /// <summary>A handshake does not come to its end: its connection is closed.</summary>
    public void Abandon(TlsLink link)
    {
        Leave(link);
        Failed++;
    }

    /// <summary>A handshake has failed: its connection is about to be closed.</summary>
    public void Fail(TlsLink link)
    {
        var handshake = link.Handshake!.Value;
        Abandon(link);
        Log.HandshakeFailed(handshake.Connection.Address.ToString(), link.Problem);
    }

    /// <summary>Closes the connections whose handshake takes too long.</summary>
    public void CloseOverdue()
    {
        while (_handshakes.First is { } oldest
            && Math.Abs(_worker.Worker.NowMs - oldest.Value.SinceMs) > ServerLimits.HandshakeMs)
        {
            GiveUp(oldest.Value, "it takes too long");
        }
    }

    /// <summary>Gives back what the connections shared; they are closed.</summary>
    public void Dispose()
    {
        if (_engine != null)
        {
            _engine.Dispose();
            _engine = null;
            _worker.Budget.Charge(-ServerLimits.BytesPerTlsWorker);
        }
    }

    private void GiveUp(Handshake handshake, string reason)
    {
        Abandon(handshake.Link);
        Log.HandshakeFailed(handshake.Connection.Address.ToString(), reason);
        handshake.Connection.Close();
    }

    private void Leave(TlsLink link)
    {
        _handshakes.Remove(link.Handshake!);
        UnderWay = _handshakes.Count;
        link.Handshake = null;
    }
}
