using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.InProcess;

/// <summary>The output to an ordinary pipe. While that is full nothing is flushed: what is written waits in the pipe,
/// as unflushed bytes, until its client has read.</summary>
internal sealed class PipeTransportWriter : PipeWriter
{
    private const int LostBytes = 4 << 10;

    private readonly WorkerContext _worker;
    private readonly PipeWriter _pipe;
    private readonly Action _wake;
    private ValueTaskAwaiter<FlushResult> _flushing;
    private bool _isFlushing;
    private byte[]? _lost; // Where goes what is written when the pipe has been ended from without.

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
    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        try
        {
            return _lost is { } lost && lost.Length >= sizeHint ? lost : _pipe.GetMemory(sizeHint);
        }
        catch (Exception exception) when (PipeTransport.IsPipes(exception))
        {
            _lost = new byte[Math.Max(LostBytes, sizeHint)];
            return _lost;
        }
    }

    /// <inheritdoc/>
    public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <inheritdoc/>
    public override void Advance(int bytes)
    {
        if (_lost == null)
        {
            _pipe.Advance(bytes);
        }
    }

    /// <inheritdoc/>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        if (_isFlushing && !_flushing.IsCompleted)
        {
            return ResultOf(hasEnded: false);
        }

        try
        {
            return ResultOf(_lost != null || FlushPipe(cancellationToken));
        }
        catch (Exception exception) when (PipeTransport.IsPipes(exception))
        {
            return ResultOf(hasEnded: true);
        }
    }

    /// <inheritdoc/>
    public override ValueTask<FlushResult> WriteAsync(
        ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
    {
        this.Write(source.Span);
        return FlushAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public override void CancelPendingFlush() => _pipe.CancelPendingFlush();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null) => _pipe.Complete(exception);

    /// <summary>Flushes what the pipe takes.</summary>
    /// <returns>Whether its other end has gone.</returns>
    private bool FlushPipe(CancellationToken cancellationToken)
    {
        if (_isFlushing)
        {
            _isFlushing = false;
            if (_flushing.GetResult().IsCompleted)
            {
                return true;
            }
        }

        _worker.CountWrite(_pipe.UnflushedBytes);
        Begin(_pipe.FlushAsync(cancellationToken));
        if (_flushing.IsCompleted)
        {
            return _flushing.GetResult().IsCompleted;
        }

        _isFlushing = true;
        _flushing.UnsafeOnCompleted(_wake);
        return false;
    }

    private void Begin(ValueTask<FlushResult> flushing) => _flushing = flushing.GetAwaiter();

    private static ValueTask<FlushResult> ResultOf(bool hasEnded)
        => new(new FlushResult(isCanceled: false, isCompleted: hasEnded));
}
