using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Strata.Server.Runtime;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Network.Transport.InProcess;

/// <summary>
/// A client behind an ordinary pipe: in this process, or whatever else comes as an <see cref="IDuplexPipe"/>. What the
/// pipe tells on any thread wakes the worker through its inbox; it needs no descriptor.
/// </summary>
internal sealed class PipeTransport : WorkItem, ITransport
{
    private readonly Worker _worker;
    [SuppressMessage("Usage", "CA2213", Justification = "The connection completes it.")]
    private readonly PipeTransportReader _input;
    private readonly PipeTransportWriter _output;
    private Connection? _connection;
    private uint _interest;

    /// <summary>Takes over a pipe's end.</summary>
    public PipeTransport(WorkerContext worker, IDuplexPipe pipe)
    {
        _worker = worker.Worker;
        Action wake = () => _worker.PostOnce(this);
        _input = new PipeTransportReader(worker, pipe.Input, wake);
        _output = new PipeTransportWriter(worker, pipe.Output, wake);
    }

    /// <inheritdoc/>
    public PipeReader Input => _input;

    /// <inheritdoc/>
    public PipeWriter Output => _output;

    /// <inheritdoc/>
    public int Descriptor => -1;

    /// <inheritdoc/>
    public bool HasUnexamined => _input.HasUnexamined;

    /// <inheritdoc/>
    public long InputBytes => _input.RestBytes;

    /// <inheritdoc/>
    public long UnreceivedBytes => _input.UnreceivedBytes;

    /// <inheritdoc/>
    public long InputCapacityBytes => _input.RestCapacityBytes;

    /// <inheritdoc/>
    public long OutputCapacityBytes => _output.UnflushedBytes;

    /// <summary>Whether an exception is what the client has done to the pipe, and the end of its connection alone: it
    /// has completed its end with one, or has read or flushed twice at a time, for which the pipe ends both sides.
    /// </summary>
    public static bool IsPipes(Exception exception)
        => exception is not (OutOfMemoryException or MemoryExhaustedException);

    /// <inheritdoc/>
    public bool TryStart(Connection connection, uint interest)
    {
        _connection = connection;
        return TryWatch(interest);
    }

    /// <inheritdoc/>
    public bool TryWatch(uint interest)
    {
        _interest = interest;
        TellLater();
        return true;
    }

    /// <inheritdoc/>
    public bool TryEndOutput()
    {
        _output.Complete();
        return true;
    }

    /// <inheritdoc/>
    public long UnarrivedBytes => 0;

    /// <inheritdoc/>
    /// <remarks>What the pipe has taken stays in it, whoever closes.</remarks>
    public bool HasArrived() => true;

    /// <inheritdoc/>
    public override bool MayRunWithin(IEventHandler executing) => _connection != executing;

    /// <summary>Tells the connection; on the worker.</summary>
    public override void Run(Worker worker)
    {
        var ready = Ready();
        if (ready != 0)
        {
            _connection!.OnEvents(ready);
            TellLater();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _connection = null;
        _output.Complete();
    }

    private void TellLater()
    {
        if (Ready() != 0)
        {
            _worker.PostOnce(this);
        }
    }

    private uint Ready()
        => _connection == null
            ? 0
            : (Wants(Readiness.In) && _input.IsReady ? Readiness.In : 0)
                | (Wants(Readiness.Out) && _output.IsReady ? Readiness.Out : 0)
                | (Wants(Readiness.ReadHangUp) && _input.HasEnded ? Readiness.ReadHangUp : 0);

    private bool Wants(uint what) => (_interest & what) != 0;
}
