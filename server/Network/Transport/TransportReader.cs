using System.IO.Pipelines;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport;

/// <summary>
/// A connection's input, each read one contiguous stretch. Mostly it is what has just come, where it lies. What a read
/// leaves over (an unfinished command, all the rest when the session must wait) goes into a buffer of the connection,
/// which holds no memory while it is empty; once it was examined, what comes next is received right behind it. So a
/// command is always parsed in one piece, and one that comes in many is not copied again with each.
/// </summary>
internal abstract unsafe class TransportReader : PipeReader, IDisposable
{
    private readonly NativeBuffer _rest;
    private byte* _given;
    private int _givenBytes;
    private long _leavingBytes;
    private bool _givesRest;
    private bool _isExamined = true;

    protected TransportReader(WorkerContext worker)
    {
        Worker = worker;
        _rest = new NativeBuffer(worker.Server.Shards.Budget);
    }

    /// <summary>Whether something was left over and not looked at.</summary>
    public bool HasUnexamined => !_isExamined;

    /// <summary>Bytes left over.</summary>
    public long RestBytes => _rest.Length;

    /// <summary>Memory of what is left over, bytes.</summary>
    public long RestCapacityBytes => _rest.MemoryBytes;

    protected WorkerContext Worker { get; }

    /// <summary>The least room that there is to receive into, while memory is not short, bytes.</summary>
    protected virtual int LeastRoom => ServerLimits.ReceiveBufferBytes / 4;

    /// <inheritdoc/>
    public sealed override bool TryRead(out ReadResult result)
    {
        var length = Read(out var start);
        var input = length > 0 ? Worker.Input.Show(start, length) : default;
        result = new ReadResult(input, isCanceled: false, isCompleted: length < 0);
        return length != 0;
    }

    /// <summary>What <see cref="TryRead"/> does, without a sequence.</summary>
    /// <param name="start">The first byte, good until <see cref="Advance"/>.</param>
    /// <returns>Bytes; 0 when there are none now; -1 when no more will come.</returns>
    public int Read(out byte* start)
    {
        if (!_rest.IsEmpty)
        {
            return ReadRest(out start);
        }

        _givesRest = false;
        _givenBytes = Receive(out start);
        _given = start;
        return _givenBytes;
    }

    /// <inheritdoc/>
    public sealed override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    /// <inheritdoc/>
    public sealed override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
        => Advance(consumed.GetInteger(), examined.GetInteger() == _givenBytes);

    /// <summary>What AdvanceTo does, after <see cref="Read"/>.</summary>
    /// <param name="consumedBytes">Bytes dealt with, the first ones.</param>
    /// <param name="isExamined">Whether the rest is of no use without more.</param>
    public void Advance(int consumedBytes, bool isExamined)
    {
        if (_givesRest)
        {
            Keep();
            _rest.Consume(consumedBytes);
            _isExamined = isExamined || _rest.IsEmpty;
            return;
        }

        _isExamined = true;
        if (consumedBytes < _givenBytes)
        {
            _rest.Append(_given + consumedBytes, _givenBytes - consumedBytes);
            _isExamined = isExamined;
        }

        EndReceived();
    }

    /// <summary>What is given does not go with the commands in it: it counts against the memory limit again.</summary>
    public void Keep()
    {
        if (_leavingBytes > 0)
        {
            _rest.EndLeaving(_leavingBytes);
            _leavingBytes = 0;
            Worker.Input.Movable = null;
        }
    }

    /// <summary>Says after <see cref="Advance"/> what is to come: it is received to memory from which a large value can
    /// be moved.</summary>
    /// <param name="bytes">Bytes that what was left over will have then.</param>
    /// <param name="valueOffset">Where in them the value begins.</param>
    /// <param name="valuePhase">What the value's address is to be modulo the kernel's page.</param>
    public void Expect(long bytes, long valueOffset, int valuePhase)
    {
        // Nobody has a mapping made by what a header claims: so much has to have come.
        if (_rest.Mapping == null && _rest.Length >= ServerLimits.MaxReceiveBytes)
        {
            _rest.Map(bytes + LeastRoom, valueOffset, valuePhase);
        }
    }

    /// <summary>Reads what there is.</summary>
    /// <exception cref="InvalidOperationException">There is nothing now: nobody waits on a worker, which is told when
    /// there is.</exception>
    public sealed override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
        => TryRead(out var result)
            ? new ValueTask<ReadResult>(result)
            : throw new InvalidOperationException("there is nothing to read, and a worker does not wait");

    /// <inheritdoc/>
    public sealed override void CancelPendingRead()
    {
        // No read is ever pending.
    }

    /// <inheritdoc/>
    public sealed override void Complete(Exception? exception = null) => Dispose();

    /// <summary>Gives the memory of what is left over back.</summary>
    public virtual void Dispose()
    {
        Keep();
        _rest.Dispose();
        _isExamined = true;
    }

    /// <summary>Receives what there is, into memory that is good until <see cref="EndReceived"/>.</summary>
    /// <returns>Bytes; 0 when there are none now; -1 when no more will come.</returns>
    protected abstract int Receive(out byte* start);

    /// <summary>Receives what there is, up to <paramref name="bytes"/>, into a buffer.</summary>
    /// <inheritdoc cref="Receive(out byte*)"/>
    protected abstract int Receive(byte* buffer, int bytes);

    /// <summary>How much may be received in one call, bytes.</summary>
    /// <param name="most">What it is while memory is not short.</param>
    protected virtual int MostAtOnce(int most) => most;

    /// <summary>What was received is not used any more.</summary>
    protected virtual void EndReceived()
    {
    }

    private int ReadRest(out byte* start)
    {
        var received = _isExamined ? ReceiveBehindRest() : 1;
        start = _rest.Start;
        if (received <= 0)
        {
            return received;
        }

        _givesRest = true;
        _givenBytes = (int)Math.Min(_rest.Length, int.MaxValue);
        _leavingBytes = _rest.BeginLeaving();
        Worker.Input.Movable = _rest.Mapping;
        return _givenBytes;
    }

    private int ReceiveBehindRest()
    {
        // As much again as there is: a value of any size comes in few calls and is moved few times as the buffer grows.
        // What is mapped holds all that is expected, and little of what follows.
        var wanted = Math.Min(_rest.Length, Math.Min(_rest.ExpectedRoom, ServerLimits.MaxReceiveBytes));
        var most = MostAtOnce(ServerLimits.MaxReceiveBytes);
        _ = _rest.ReserveTail(Math.Min(Math.Max(wanted, LeastRoom), most));
        var room = (int)Math.Min(_rest.TailRoom, most);
        var received = Receive(_rest.Start + _rest.Length, room);
        _rest.Commit(Math.Max(received, 0));
        return received;
    }
}
