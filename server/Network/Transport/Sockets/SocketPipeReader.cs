using System.Runtime.CompilerServices;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Sockets;

/// <summary>What a client's socket receives: into the worker's buffer, parsed there. Connections ask by <see
/// cref="TransportReader.Read"/>, where the kernel's call is inlined; for all else it is a PipeReader.</summary>
internal sealed unsafe class SocketPipeReader : TransportReader
{
    private readonly ClientSocket _socket;

    public SocketPipeReader(WorkerContext worker, ClientSocket socket)
        : base(worker)
    {
        _socket = socket;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override int Receive(out byte* start)
    {
        start = Worker.Input.Buffer;
        return ReceiveInto(start, MostAtOnce(ServerLimits.ReceiveBufferBytes));
    }

    /// <inheritdoc/>
    protected override int Receive(byte* buffer, int bytes) => ReceiveInto(buffer, bytes);

    /// <inheritdoc/>
    /// <remarks>What must wait is kept, and is not the kernel's any more, which has the client wait: while memory is
    /// short it is little, of each of many clients.</remarks>
    protected override int MostAtOnce(int most)
    {
        var budget = Worker.Budget;
        return !budget.IsFarOver ? most
            : Math.Min(most, budget.IsAtEnd ? ServerLimits.LeastReceiveBytes : ServerLimits.ShortReceiveBytes);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ReceiveInto(byte* buffer, int bytes)
    {
        var received = _socket.Receive(buffer, bytes);
        Worker.CountRead(received);
        return received;
    }
}
