using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Strata.Server.Lifecycle;
using Strata.Server.Network.Transport;
using Strata.Storage.Runtime;

namespace Strata.Server.Network;

/// <summary>
/// One listening socket. It belongs to the first worker's loop and deals its connections out to the workers in turn,
/// which balances few connections better than SO_REUSEPORT's hashing does, and lets a taken port be noticed.
/// </summary>
internal sealed unsafe class Listener : IEventHandler, IDisposable
{
    private const int AddressBytes = 128; // sizeof(struct sockaddr_storage)
    private const int AcceptsPerTurn = 64;
    private const int InterNetworkV6 = 10;
    private const int InterNetwork = 2;
    private const int ToldMs = 1000;

    private readonly Socket _socket;
    private readonly string? _unixPath;
    private readonly ServerLog _log;
    private readonly Action<int, ClientAddress, bool> _admit;
    private readonly int _fd;
    private int _slot = -1;
    private IPoller? _loop;
    private bool _isPaused;
    private long _nowMs;
    private long _toldMs = -ToldMs;

    /// <summary>Takes over a socket that listens.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="unixPath">Its path, if it is a Unix socket.</param>
    /// <param name="isTls">Whether its clients speak TLS.</param>
    /// <param name="log">Told when the system gives no more descriptors.</param>
    /// <param name="admit">Takes over the accepted sockets; the last argument is <paramref name="isTls"/>.</param>
    public Listener(
        Socket socket, string? unixPath, bool isTls, ServerLog log, Action<int, ClientAddress, bool> admit)
    {
        _log = log;
        _admit = admit;
        _socket = socket;
        EndPoint = socket.LocalEndPoint as IPEndPoint;
        IsTls = isTls;
        Name = unixPath ?? $"{EndPoint}{(isTls ? " (TLS)" : "")}";

        // The working directory may be another one when the server ends.
        _unixPath = unixPath is null ? null : Path.GetFullPath(unixPath);
        _socket.Blocking = false;
        _fd = (int)_socket.Handle;
    }

    /// <summary>Where it listens; null for a Unix socket.</summary>
    public IPEndPoint? EndPoint { get; }

    /// <summary>Whether its clients speak TLS.</summary>
    public bool IsTls { get; }

    /// <summary>Where it listens, as text.</summary>
    public string Name { get; }

    /// <summary>Starts to accept, on the loop's thread or before it runs.</summary>
    /// <exception cref="IOException">The kernel refused.</exception>
    public void Start(IPoller loop)
    {
        _slot = loop.Add(_fd, Readiness.In, this);
        if (_slot < 0)
        {
            throw new IOException($"cannot watch a listening socket (errno {Marshal.GetLastPInvokeError()})");
        }

        _loop = loop;
    }

    /// <summary>Accepts again where no descriptor was left some time ago; on the loop's thread.</summary>
    /// <param name="nowMs">The time.</param>
    public void Resume(long nowMs)
    {
        _nowMs = nowMs;
        if (_isPaused && _slot >= 0)
        {
            _isPaused = !_loop!.Modify(_slot, _fd, Readiness.In);
        }
    }

    /// <summary>Accepts no more; on the loop's thread.</summary>
    public void Stop()
    {
        if (_slot >= 0)
        {
            _loop!.Remove(_slot, _fd);
            _slot = -1;
        }

        Dispose();
    }

    /// <inheritdoc/>
    public void OnEvents(uint mask)
    {
        var address = stackalloc byte[AddressBytes];
        for (var i = 0; i < AcceptsPerTurn; i++)
        {
            uint length = AddressBytes;
            var fd = SocketCalls.Accept(_fd, address, &length, SocketCalls.AcceptNonBlock | SocketCalls.AcceptCloexec);
            if (fd < 0)
            {
                var errno = Marshal.GetLastPInvokeError();
                if (errno is SocketCalls.TooManyFilesInProcess or SocketCalls.TooManyFilesInSystem)
                {
                    Pause(errno);
                }

                return;
            }

            _admit(fd, AddressOf(fd, address), IsTls);
        }
    }

    /// <summary>Lets who would connect wait: asked again at once, the kernel would say the same, again and again.
    /// </summary>
    private void Pause(int errno)
    {
        _isPaused = _loop!.Modify(_slot, _fd, mask: 0);
        if (Math.Abs(_nowMs - _toldMs) >= ToldMs)
        {
            _toldMs = _nowMs;
            _log.NoDescriptorForClient(errno);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _socket.Dispose();
        if (_unixPath != null)
        {
            File.Delete(_unixPath);
        }
    }

    private ClientAddress AddressOf(int fd, byte* remote)
    {
        if (_unixPath != null)
        {
            return new ClientAddress(null, null, Name);
        }

        var local = stackalloc byte[AddressBytes];
        uint length = AddressBytes;
        var hasLocal = SocketCalls.GetName(fd, local, &length) == 0;
        return new ClientAddress(ToEndPoint(remote), hasLocal ? ToEndPoint(local) : null, null);
    }

    private static IPEndPoint ToEndPoint(byte* address)
    {
        var port = (address[2] << 8) | address[3];
        return *(ushort*)address switch
        {
            InterNetwork => new IPEndPoint(new IPAddress(new ReadOnlySpan<byte>(address + 4, 4)), port),
            InterNetworkV6 => new IPEndPoint(new IPAddress(new ReadOnlySpan<byte>(address + 8, 16)), port),
            var family => throw new InvalidOperationException($"a client of address family {family}"),
        };
    }
}
