using System.IO.Pipelines;
using Strata.Storage.Memory;

namespace Strata.Server.Network.Transport.InProcess;

/// <summary>
/// The two pipes between a client in this process and its connection. Each holds as much as a socket's buffers would;
/// then who writes has to wait. What the server waits for is told on the client's thread, which only leaves an item for
/// the worker; what the client waits for goes on in the thread pool: nobody's code runs on the other's thread.
/// </summary>
internal sealed class InProcessPipes
{
    private const int SegmentBytes = ServerLimits.ReceiveBufferBytes / 4;

    public InProcessPipes(MemoryBudget budget)
    {
        var pool = new ChargedMemoryPool(budget);
        var toServer = new Pipe(Options(pool, reader: PipeScheduler.Inline, writer: PipeScheduler.ThreadPool));
        var toClient = new Pipe(Options(pool, reader: PipeScheduler.ThreadPool, writer: PipeScheduler.Inline));
        Client = new DuplexPipe(toClient.Reader, toServer.Writer);
        Server = new DuplexPipe(toServer.Reader, toClient.Writer);
    }

    /// <summary>The client's end.</summary>
    public IDuplexPipe Client { get; }

    /// <summary>The connection's end.</summary>
    public IDuplexPipe Server { get; }

    private static PipeOptions Options(ChargedMemoryPool pool, PipeScheduler reader, PipeScheduler writer)
        => new(
            pool,
            reader,
            writer,
            ServerLimits.ReceiveBufferBytes,
            ServerLimits.ReceiveBufferBytes / 2,
            SegmentBytes,
            useSynchronizationContext: false);
}
