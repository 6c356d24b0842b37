using Strata.Server.Network.Transport.Sockets;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>One client's handshake, from when it is posted to the thread of all handshakes. There only.</summary>
/// <param name="handshakes">All of them.</param>
/// <param name="context">What the connection is made from.</param>
/// <param name="socket">The accepted socket, which does not block; closed with a handshake that fails.</param>
/// <param name="address">The client's.</param>
/// <param name="end">Takes the connection over, or is told by null that there is none.</param>
internal sealed class Handshake(
    TlsHandshakes handshakes,
    TlsContext context,
    ClientSocket socket,
    ClientAddress address,
    Action<TlsConnection?> end)
    : WorkItem, IEventHandler
{
    private TlsConnection? _ends;
    private MemoryCharge _charge = new(handshakes.Budget);
    private int _slot = -1;
    private bool _isSending;

    /// <summary>The client's address.</summary>
    public ClientAddress Address { get; } = address;

    /// <summary>When it began, milliseconds since 1970.</summary>
    public long SinceMs { get; private set; }

    /// <summary>Where it stands among those that are not over.</summary>
    public LinkedListNode<Handshake>? Place { get; set; }

    private IPoller Poller => handshakes.Poller;

    /// <summary>Begins.</summary>
    public override void Run(Worker worker)
    {
        SinceMs = worker.NowMs;
        handshakes.Begin(this);
        if (handshakes.Budget.WouldPassEnd(ServerLimits.BytesPerHandshake))
        {
            handshakes.GiveUp(this, "memory is at its end ('maxmemory')");
            return;
        }

        _ends = handshakes.Connect(context, socket.Descriptor);
        if (_ends == null)
        {
            handshakes.GiveUp(this, "the system gives no memory");
            return;
        }

        _charge.Set(ServerLimits.BytesPerHandshake);
        _slot = Poller.Add(socket.Descriptor, Readiness.In, this);
        if (_slot < 0)
        {
            handshakes.GiveUp(this, "the system does not watch its socket");
        }
    }

    /// <inheritdoc/>
    public void OnEvents(uint mask)
    {
        // What was not taken before goes first.
        if (!(_isSending ? _ends!.TryFlush() : _ends!.TryShakeHands()))
        {
            handshakes.GiveUp(this, _ends.Problem);
        }
        else if (_ends.UnsentBytes > 0 != _isSending)
        {
            _isSending = !_isSending;
            if (!Poller.Modify(_slot, socket.Descriptor, _isSending ? Readiness.Out : Readiness.In))
            {
                handshakes.GiveUp(this, "the system does not watch its socket");
            }
        }

        if (_ends is { IsEstablished: true, UnsentBytes: 0 } ends)
        {
            _ends = null;
            Leave();
            handshakes.Establish(this);
            end(ends);
        }
    }

    /// <summary>It does not come to its end.</summary>
    public void Fail()
    {
        _ends?.Dispose();
        _ends = null;
        Leave();
        socket.Close();
        end(null);
    }

    private void Leave()
    {
        _charge.Set(0);
        if (_slot >= 0)
        {
            Poller.Remove(_slot, socket.Descriptor);
            _slot = -1;
        }
    }
}
