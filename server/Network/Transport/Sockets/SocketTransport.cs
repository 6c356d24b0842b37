using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Sockets;

/// <summary>A client's socket, watched by its worker's event loop.</summary>
internal sealed class SocketTransport : ITransport
{
    private readonly WorkerContext _worker;
    private readonly ClientSocket _socket;
    private readonly bool _isLocal;
    [SuppressMessage("Usage", "CA2213", Justification = "The connection completes it.")]
    private readonly SocketPipeReader _input;
    private readonly SocketPipeWriter _output;
    private int _slot = -1;

    /// <summary>Takes over an accepted socket that does not block.</summary>
    /// <param name="worker">Whose loop watches it.</param>
    /// <param name="fd">The socket.</param>
    /// <param name="isLocal">Whether it is a Unix socket.</param>
    public SocketTransport(WorkerContext worker, int fd, bool isLocal)
    {
        _worker = worker;
        _socket = new ClientSocket(fd);
        _isLocal = isLocal;
        _input = new SocketPipeReader(worker, _socket);
        _output = new SocketPipeWriter(worker, _socket);
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
    public long InputCapacityBytes => _input.RestCapacityBytes;

    /// <inheritdoc/>
    public long OutputCapacityBytes => _output.CapacityBytes;

    /// <inheritdoc/>
    public bool TryStart(Connection connection, uint interest)
    {
        _slot = _worker.Worker.Poller.Add(Descriptor, interest, connection);
        return _slot >= 0;
    }

    /// <inheritdoc/>
    public bool TryWatch(uint interest) => _worker.Worker.Poller.Modify(_slot, Descriptor, interest);

    /// <inheritdoc/>
    public bool TryEndOutput() => _socket.TryShutWrite();

    /// <inheritdoc/>
    public long UnarrivedBytes => _socket.UnacknowledgedBytes();

    /// <inheritdoc/>
    public bool HasArrived() => _isLocal || UnarrivedBytes == 0;

    /// <inheritdoc/>
    public void Dispose()
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
