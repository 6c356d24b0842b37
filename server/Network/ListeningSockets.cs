using System.Net;
using System.Net.Sockets;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Storage.Runtime;

namespace Strata.Server.Network;

/// <summary>
/// What the server listens on: every address of <c>bind</c> at <c>port</c> and at <c>tls-port</c>, and
/// <c>unixsocket</c>. Belongs to the first worker's thread, but for the start and the end. CONFIG SET changes it: new
/// sockets are open before old ones are closed, and what stays the same is not touched.
/// </summary>
/// <param name="log">Told where the server listens.</param>
/// <param name="admit">Takes over the accepted sockets, and whether TLS is spoken over them.</param>
internal sealed class ListeningSockets(ServerLog log, Action<int, ClientAddress, bool> admit) : IDisposable
{
    private readonly Dictionary<string, IPAddress[]> _addressesByHost = [];
    private readonly List<Listener> _listeners = [];
    private IPoller? _loop;

    /// <summary>Opens all that the configuration names, before the loop runs.</summary>
    /// <exception cref="StartupException">An address that is not optional cannot be had.</exception>
    /// <exception cref="IOException">The kernel refused to watch a socket.</exception>
    public void Open(ServerOptions options, IPoller loop)
    {
        _loop = loop;
        foreach (var bind in options.Port == 0 && options.TlsPort == 0 ? [] : options.Binds)
        {
            _addressesByHost[bind.Host] = Resolve(bind);
        }

        _ = TryFindEndPoints(options, out var places, out _); // All hosts have just been looked up.
        foreach (var place in places)
        {
            Listen(_listeners, place, options.TcpBacklog);
        }

        if (options.UnixSocketPath.Length > 0)
        {
            var socket = BoundSocket.OpenUnix(options);
            Add(_listeners, new Listener(socket, options.UnixSocketPath, isTls: false, log, admit));
        }
    }

    /// <summary>Puts a new <c>bind</c> into effect, on the loop's thread: see <see cref="ApplyConfiguration"/>.
    /// </summary>
    public string? ChangeBind(ServerOptions next)
        => Change(next, "Failed to bind to specified addresses.");

    /// <summary>Puts a new <c>port</c> into effect, on the loop's thread: see <see cref="ApplyConfiguration"/>.
    /// </summary>
    public string? ChangePort(ServerOptions next)
        => Change(next, "Unable to listen on this port. Check server logs.");

    /// <summary>Puts a new <c>tls-port</c> into effect, on the loop's thread: see <see cref="ApplyConfiguration"/>.
    /// </summary>
    public string? ChangeTlsPort(ServerOptions next)
        => Change(next, "Unable to listen on this port. Check server logs.");

    /// <summary>From time to time, on the loop's thread: what could not be accepted is tried again.</summary>
    public void OnTick(long nowMs)
    {
        foreach (var listener in _listeners)
        {
            listener.Resume(nowMs);
        }
    }

    /// <summary>Accepts no more; on the loop's thread.</summary>
    public void Stop()
    {
        _loop = null;
        foreach (var listener in _listeners)
        {
            listener.Stop();
        }

        _listeners.Clear();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var listener in _listeners)
        {
            listener.Dispose();
        }
    }

    private static IPAddress[] Resolve(BindAddress bind)
    {
        try
        {
            return bind.Resolve();
        }
        catch (SocketException exception)
        {
            throw BoundSocket.CannotListen(bind.Host, exception);
        }
    }

    /// <summary>Whether one could not be bound while the other listens, though they are not the same.</summary>
    private static bool Collide(IPEndPoint one, IPEndPoint other)
        => one.Port == other.Port
            && one.AddressFamily == other.AddressFamily
            && (IsAny(one.Address) || IsAny(other.Address) || one.Address.Equals(other.Address));

    private static bool IsAny(IPAddress address) => address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);

    /// <summary>Takes one that is wanted out, if it is there.</summary>
    private static bool TryTake(List<Place> wanted, Listener listener)
    {
        var at = wanted.FindIndex(
            place => place.EndPoint.Equals(listener.EndPoint) && place.IsTls == listener.IsTls);
        if (at >= 0)
        {
            wanted.RemoveAt(at);
        }

        return at >= 0;
    }

    /// <summary>Where the options say to listen.</summary>
    /// <returns>False at the name of a host whose addresses are not known.</returns>
    private bool TryFindEndPoints(
        ServerOptions options, out List<Place> places, out string unknownHost)
    {
        places = [];
        unknownHost = "";
        foreach (var bind in options.Port == 0 && options.TlsPort == 0 ? [] : options.Binds)
        {
            IPAddress[]? addresses = bind.Literal is { } literal ? [literal] : null;
            if (addresses == null && !_addressesByHost.TryGetValue(bind.Host, out addresses))
            {
                unknownHost = bind.Host;
                return false;
            }

            foreach (var address in addresses)
            {
                AddPlace(places, address, options.Port, bind.IsOptional, isTls: false);
                AddPlace(places, address, options.TlsPort, bind.IsOptional, isTls: true);
            }
        }

        return true;
    }

    private static void AddPlace(List<Place> places, IPAddress address, int port, bool isOptional, bool isTls)
    {
        if (port != 0)
        {
            places.Add(new Place(new IPEndPoint(address, port), isOptional, isTls));
        }
    }

    /// <summary>Listens where the options say, and nowhere else.</summary>
    /// <returns>Null, or the failure, when it goes on listening where it did; the log has the cause.</returns>
    private string? Change(ServerOptions next, string failure)
    {
        if (_loop == null)
        {
            return null; // It does not listen yet, or no more.
        }

        if (!TryFindEndPoints(next, out var wanted, out var unknownHost))
        {
            // A name server's answer would take too long for the clients of the worker.
            return $"{failure} '{unknownHost}' is a host name that was not looked up at start: give its address.";
        }

        var old = _listeners.FindAll(listener => listener.EndPoint != null && !TryTake(wanted, listener));
        var inTheWay = old.FindAll(listener => wanted.Exists(place => Collide(listener.EndPoint!, place.EndPoint)));
        inTheWay.ForEach(End);
        var opened = new List<Listener>();
        try
        {
            foreach (var place in wanted)
            {
                Listen(opened, place, next.TcpBacklog);
            }
        }
        catch (Exception exception) when (exception is StartupException or IOException)
        {
            log.CannotChangeListening(exception.Message);
            opened.ForEach(End);
            inTheWay.ForEach(listener => ListenAgain(listener, next.TcpBacklog));
            return failure;
        }

        old.FindAll(listener => !inTheWay.Contains(listener)).ForEach(End);
        _listeners.AddRange(opened);
        return null;
    }

    private void Listen(List<Listener> listeners, Place place, int backlog)
    {
        if (BoundSocket.Open(place.EndPoint, place.IsOptional, backlog) is { } socket)
        {
            Add(listeners, new Listener(socket, null, place.IsTls, log, admit));
        }
    }

    private void Add(List<Listener> listeners, Listener listener)
    {
        try
        {
            listener.Start(_loop!);
        }
        catch (IOException)
        {
            listener.Dispose();
            throw;
        }

        listeners.Add(listener);
        log.Listening(listener.Name);
    }

    private void ListenAgain(Listener listener, int backlog)
    {
        try
        {
            Listen(_listeners, new Place(listener.EndPoint!, IsOptional: false, listener.IsTls), backlog);
        }
        catch (Exception exception) when (exception is StartupException or IOException)
        {
            log.CannotChangeListening(exception.Message);
        }
    }

    private void End(Listener listener)
    {
        listener.Stop();
        _listeners.Remove(listener);
        log.ListeningEnded(listener.Name);
    }

    /// <summary>Where to listen.</summary>
    private sealed record Place(IPEndPoint EndPoint, bool IsOptional, bool IsTls);
}
