using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.InProcess;

/// <summary>The output to an ordinary pipe. While that is full nothing is flushed: what is written waits in the pipe,
/// as unflushed bytes, until its client has read.</summary>
internal sealed class PipeTransportWriter : PipeWriter
{
    private readonly WorkerContext _worker;
    private readonly PipeWriter _pipe;
    private readonly Action _wake;
    private ValueTaskAwaiter<FlushResult> _flushing;
    private bool _isFlushing;

    /// <summary>Takes over a pipe's end.</summary>
    /// <param name="worker">Who writes.</param>
    /// <param name="pipe">To what.</param>
    /// <param name="wake">Has the worker look again; called on any thread.</param>
    public PipeTransportWriter(WorkerContext worker, PipeWriter pipe, Action wake)
    {
        _worker = worker;
        _pipe = pipe;
        _wake = wake;
    }

    /// <inheritdoc/>
    public override bool CanGetUnflushedBytes => true;

    /// <inheritdoc/>
    public override long UnflushedBytes => _pipe.UnflushedBytes;

    /// <summary>Whether a flush would take something.</summary>
    public bool IsReady => !_isFlushing || _flushing.IsCompleted;

    /// <inheritdoc/>
    public override Memory<byte> GetMemory(int sizeHint = 0) => _pipe.GetMemory(sizeHint);

    /// <inheritdoc/>
    public override Span<byte> GetSpan(int sizeHint = 0) => _pipe.GetSpan(sizeHint);

    /// <inheritdoc/>
    public override void Advance(int bytes) => _pipe.Advance(bytes);

    /// <inheritdoc/>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        if (_isFlushing && !_flushing.IsCompleted)
        {
            return ResultOf(hasEnded: false);
        }

        if (_isFlushing)
        {
            _isFlushing = false;
            if (_flushing.GetResult().IsCompleted)
            {
                return ResultOf(hasEnded: true);
            }
        }

        _worker.CountWrite(_pipe.UnflushedBytes);
        return Begin(_pipe.FlushAsync(cancellationToken));
    }

    /// <inheritdoc/>
    public override ValueTask<FlushResult> WriteAsync(
        ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
    {
        _pipe.Write(source.Span);
        return FlushAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public override void CancelPendingFlush() => _pipe.CancelPendingFlush();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null) => _pipe.Complete(exception);

    private ValueTask<FlushResult> Begin(ValueTask<FlushResult> flushing)
    {
        if (flushing.IsCompleted)
        {
            return flushing;
        }

        _isFlushing = true;
        _flushing = flushing.GetAwaiter();
        _flushing.UnsafeOnCompleted(_wake);
        return ResultOf(hasEnded: false);
    }

    private static ValueTask<FlushResult> ResultOf(bool hasEnded)
        => new(new FlushResult(isCanceled: false, isCompleted: hasEnded));
}
