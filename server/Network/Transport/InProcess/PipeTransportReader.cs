using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.InProcess;

/// <summary>
/// The input from an ordinary pipe: its segments, one at a time, where they lie; a command that straddles segments is
/// gathered. While there is nothing, a read of the pipe is pending, whose end wakes the worker.
/// </summary>
internal sealed unsafe class PipeTransportReader : TransportReader
{
    private readonly PipeReader _pipe;
    private readonly Action _wake;
    private ValueTaskAwaiter<ReadResult> _reading;
    private ReadResult _result;
    private MemoryHandle _pin;
    private int _receivedBytes;
    private bool _isReading;
    private bool _hasResult;
    private bool _isPeeked;

    /// <summary>Takes over a pipe's end.</summary>
    /// <param name="worker">Who reads.</param>
    /// <param name="pipe">From what.</param>
    /// <param name="wake">Has the worker look again; called on any thread.</param>
    public PipeTransportReader(WorkerContext worker, PipeReader pipe, Action wake)
        : base(worker)
    {
        _pipe = pipe;
        _wake = wake;
    }

    /// <summary>Whether a read would give something, or the end.</summary>
    public bool IsReady => _isPeeked || Poll();

    /// <inheritdoc cref="ITransport.UnreceivedBytes"/>
    public long UnreceivedBytes => Poll() ? _result.Buffer.Length : 0;

    /// <summary>Whether the client sends no more, though what it sent may not have been read. What is looked at for
    /// that no longer holds the client up: of one that sends much meanwhile the end is not told.</summary>
    public bool HasEnded
    {
        get
        {
            while (Poll() && !_result.IsCompleted && _result.Buffer.Length < ServerLimits.ReceiveBufferBytes)
            {
                _isPeeked |= !_result.Buffer.IsEmpty;
                Advance(_result.Buffer.Start, _result.Buffer.End);
            }

            return _hasResult && _result.IsCompleted;
        }
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _pin.Dispose();
        _pin = default;
        base.Dispose();
        _pipe.Complete();
    }

    /// <inheritdoc/>
    protected override int Receive(out byte* start)
    {
        start = null;
        if (!TryTake(out var segment))
        {
            return _hasResult ? -1 : 0;
        }

        _pin = segment.Pin();
        start = (byte*)_pin.Pointer;
        _receivedBytes = segment.Length;
        return Count(segment.Length);
    }

    /// <inheritdoc/>
    protected override int Receive(byte* buffer, int bytes)
    {
        if (!TryTake(out var segment))
        {
            return _hasResult ? -1 : 0;
        }

        var length = Math.Min(segment.Length, bytes);
        segment.Span[..length].CopyTo(new Span<byte>(buffer, length));
        Advance(_result.Buffer.GetPosition(length));
        return Count(length);
    }

    /// <inheritdoc/>
    protected override void EndReceived()
    {
        _pin.Dispose();
        _pin = default;
        Advance(_result.Buffer.GetPosition(_receivedBytes));
    }

    /// <summary>The first segment that holds something.</summary>
    /// <returns>False when there is nothing now, or, if there is a result, when no more will come.</returns>
    private bool TryTake(out ReadOnlyMemory<byte> segment)
    {
        segment = default;
        if (_isPeeked && !_hasResult)
        {
            _pipe.CancelPendingRead(); // What is there was looked at: the pipe would only give it with more.
        }

        if (!Poll())
        {
            return false;
        }

        _isPeeked = false;
        var position = _result.Buffer.Start;
        while (segment.IsEmpty && _result.Buffer.TryGet(ref position, out segment))
        {
        }

        if (segment.IsEmpty && !_result.IsCompleted)
        {
            Advance(_result.Buffer.Start);
        }

        return !segment.IsEmpty;
    }

    /// <summary>Whether the pipe has given something, or its end; asks it if it was not asked.</summary>
    private bool Poll()
    {
        if (_hasResult)
        {
            return true;
        }

        try
        {
            PollPipe();
        }
        catch (Exception exception) when (PipeTransport.IsPipes(exception))
        {
            Break();
        }

        return _hasResult;
    }

    private void PollPipe()
    {
        var wasReading = _isReading;
        if (!_isReading)
        {
            Begin(_pipe.ReadAsync());
        }

        if (_reading.IsCompleted)
        {
            _isReading = false;
            _result = _reading.GetResult();
            _hasResult = true;
        }
        else if (!wasReading)
        {
            _reading.UnsafeOnCompleted(_wake);
        }
    }

    private void Begin(ValueTask<ReadResult> reading)
    {
        _reading = reading.GetAwaiter();
        _isReading = true;
    }

    /// <summary>The pipe fails, and nothing more comes.</summary>
    private void Break()
    {
        _result = new ReadResult(default, isCanceled: false, isCompleted: true);
        _hasResult = true;
    }

    private void Advance(SequencePosition consumed) => Advance(consumed, consumed);

    private void Advance(SequencePosition consumed, SequencePosition examined)
    {
        _hasResult = false;
        _result = default;
        try
        {
            _pipe.AdvanceTo(consumed, examined);
        }
        catch (Exception exception) when (PipeTransport.IsPipes(exception))
        {
            Break();
        }
    }

    private int Count(int bytes)
    {
        Worker.CountRead(bytes);
        return bytes;
    }
}
