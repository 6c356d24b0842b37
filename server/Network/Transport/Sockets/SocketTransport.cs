using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Sockets;

/// <summary>A client's socket, watched by its worker's event loop. What goes over it by a protocol of its own derives
/// from this.</summary>
internal class SocketTransport : ITransport
{
    private readonly WorkerContext _worker;
    private readonly ClientSocket _socket;
    private readonly bool _isLocal;
    [SuppressMessage("Usage", "CA2213", Justification = "The connection completes it.")]
    private readonly TransportReader _input;
    private readonly SocketPipeWriter _output;
    private int _slot = -1;

    /// <summary>Takes over an accepted socket that does not block.</summary>
    /// <param name="worker">Whose loop watches it.</param>
    /// <param name="fd">The socket.</param>
    /// <param name="isLocal">Whether it is a Unix socket.</param>
    public SocketTransport(WorkerContext worker, int fd, bool isLocal)
        : this(worker, new ClientSocket(fd), isLocal)
    {
    }

    private SocketTransport(WorkerContext worker, ClientSocket socket, bool isLocal)
        : this(worker, socket, isLocal, new SocketPipeReader(worker, socket), new SocketPipeWriter(worker, socket))
    {
    }

    /// <summary>Takes over an accepted socket that others read and write.</summary>
    protected SocketTransport(
        WorkerContext worker, ClientSocket socket, bool isLocal, TransportReader input, SocketPipeWriter output)
    {
        _worker = worker;
        _socket = socket;
        _isLocal = isLocal;
        _input = input;
        _output = output;
    }

    /// <inheritdoc/>
    public PipeReader Input => _input;

    /// <inheritdoc/>
    public PipeWriter Output => _output;

    /// <inheritdoc/>
    public int Descriptor => _socket.Descriptor;

    /// <inheritdoc/>
    public bool HasUnexamined => _input.HasUnexamined;

    /// <inheritdoc/>
    public long InputBytes => _input.RestBytes;

    /// <inheritdoc/>
    public long UnreceivedBytes => _socket.UnreceivedBytes();

    /// <inheritdoc/>
    public long InputCapacityBytes => _input.RestCapacityBytes;

    /// <inheritdoc/>
    public long OutputCapacityBytes => _output.CapacityBytes;

    /// <inheritdoc/>
    public virtual bool TryStart(Connection connection, uint interest)
    {
        _slot = _worker.Worker.Poller.Add(Descriptor, interest, connection);
        return _slot >= 0;
    }

    /// <inheritdoc/>
    public bool TryWatch(uint interest) => _worker.Worker.Poller.Modify(_slot, Descriptor, interest);

    /// <inheritdoc/>
    public virtual bool TryEndOutput() => _socket.TryShutWrite();

    /// <inheritdoc/>
    public long UnarrivedBytes => _socket.UnacknowledgedBytes();

    /// <inheritdoc/>
    public bool HasArrived() => _isLocal || UnarrivedBytes == 0;

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Ends it.</summary>
    protected virtual void Dispose(bool disposing)
    {
        if (_slot >= 0)
        {
            _worker.Worker.Poller.Remove(_slot, Descriptor);
            _slot = -1;
        }

        _socket.Close();
        _output.Dispose();
    }
}
