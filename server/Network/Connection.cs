using System.Runtime.CompilerServices;
using Strata.Server.Network.Transport;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Network;

/// <summary>
/// One client on one worker: what its pipe gives is executed where it lies, and replies, which are written to the
/// worker's own buffer, go into the pipe as soon as the input is used up. What a command leaves over stays in the pipe.
/// A pipe whose other end has gone closes the connection, whatever the reason.
/// </summary>
internal sealed unsafe class Connection : IEventHandler, IDisposable, ILateReceiver
{
    private readonly WorkerContext _worker;
    private readonly ITransport _transport;
    private readonly ConnectionInput _input;
    private uint _interest = Readiness.In;
    private ConnectionDrain? _drain;

    /// <summary>A connection of a worker, on which nothing is received before <see cref="TryStart"/>.</summary>
    /// <param name="worker">The worker.</param>
    /// <param name="transport">What carries the bytes.</param>
    /// <param name="address">Where they come from.</param>
    /// <param name="connect">Makes the client that takes them.</param>
    public Connection(
        WorkerContext worker, ITransport transport, ClientAddress address, Func<Connection, ConnectedClient> connect)
    {
        _worker = worker;
        _transport = transport;
        _input = new ConnectionInput(worker, transport.Input);
        Address = address;
        Output = new ConnectionOutput(worker, this, transport.Output);
        Client = connect(this);
        LastInteractionMs = CreatedMs = worker.Worker.NowMs;
    }

    public ConnectedClient Client { get; }

    public ClientAddress Address { get; }

    /// <inheritdoc cref="ITransport.Descriptor"/>
    public int Descriptor => _transport.Descriptor;

    public bool IsClosed { get; private set; }

    /// <inheritdoc/>
    public bool IsBatched { get; set; }

    /// <summary>Wall clock, milliseconds since 1970.</summary>
    public long CreatedMs { get; }

    /// <inheritdoc cref="CreatedMs"/>
    public long LastInteractionMs { get; internal set; }

    /// <summary>Bytes received and not executed yet.</summary>
    public long PendingBytes => _transport.InputBytes;

    /// <summary>What is sent to the client.</summary>
    public ConnectionOutput Output { get; }

    /// <summary>Memory of the buffer of unfinished input, bytes.</summary>
    public long PendingCapacityBytes => _transport.InputCapacityBytes;

    /// <summary>Memory of the buffer of unsent output, bytes.</summary>
    public long OutputCapacityBytes => _transport.OutputCapacityBytes;

    /// <summary>What is received from the client.</summary>
    public ConnectionInput Input => _input;

    /// <summary>Whether input is taken now.</summary>
    public bool WatchesInput => (_interest & Readiness.In) != 0;

    /// <summary>Whether replies wait to be taken.</summary>
    public bool WatchesOutput => (_interest & Readiness.Out) != 0;

    /// <summary>Starts to receive.</summary>
    /// <returns>False with errno when the kernel refused.</returns>
    public bool TryStart() => _transport.TryStart(this, _interest);

    /// <inheritdoc/>
    public void OnEvents(uint mask)
    {
        try
        {
            Handle(mask);
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            BreakOff();
        }
    }

    /// <summary>Goes on with what the client has begun, and with what was received while it was parked; from the
    /// worker's inbox.</summary>
    public void Resume()
    {
        try
        {
            if (Client.TryContinue())
            {
                ProcessPending();
            }
            else if (!IsClosed)
            {
                Finish(); // It may wait for something else now, which may outlast the client.
            }
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            BreakOff();
        }
    }

    /// <summary>There is no memory for what the client has begun.</summary>
    private void BreakOff()
    {
        Client.DropUnfinishedWork();
        CloseWithoutMemory();
        _input.End();
    }

    /// <summary>What this connection asks for cannot be had: it goes, the others stay.</summary>
    private void CloseWithoutMemory()
    {
        _worker.Server.Log.NoMemoryForClient(Client.Id, Address.ToString());
        Close();
    }

    private void Handle(uint mask)
    {
        if ((mask & Readiness.Out) != 0)
        {
            OnWritable();
        }

        if (!IsClosed && (mask & Readiness.In) != 0)
        {
            OnInput();
        }
        else if (!IsClosed && (mask & Readiness.ReadHangUp) != 0 && Client.WaitsLong)
        {
            Close();
        }
        else if (!IsClosed && (mask & (Readiness.Error | Readiness.HangUp)) != 0)
        {
            Close();
        }
    }

    private void OnInput()
    {
        if (CanExecute() && (_worker.Tier == null || _drain != null || Client.TryReceive()))
        {
            OnReadable();
        }
        else
        {
            Watch(unwanted: Readiness.In);
        }
    }

    /// <summary>Sends the replies written so far; what the pipe does not take waits there.</summary>
    /// <returns>Whether the connection may go on executing commands.</returns>
    public bool TryFlush()
    {
        SendBatch();
        var reply = _worker.Reply;
        if (IsClosed || reply.Length == 0)
        {
            reply.Clear();
            return !IsClosed;
        }

        reply.CountErrors();
        if (_worker.Server.Durability.IsAwaited)
        {
            Output.AwaitDisk();
        }

        var isGranted = reply.IsGranted;
        var isOpen = Output.TrySend(reply);
        reply.Clear();
        if (!isOpen || Output.IsOverLimit(isUnaskedReply: !isGranted))
        {
            Close();
            return false;
        }

        return !Output.IsAboveHighWater;
    }

    /// <summary>Sends the reply that waits in the worker's batch, if any: what follows must not pass it.</summary>
    private void SendBatch()
    {
        if (IsBatched)
        {
            _worker.Replies.Send();
        }
    }

    /// <summary>Executes what was received and not dealt with, and sends the replies.</summary>
    private void ProcessPending()
    {
        if (IsClosed)
        {
            return;
        }

        if (_transport.HasUnexamined && CanExecute())
        {
            var length = _input.Read(out var start);
            if (length > 0)
            {
                Execute(start, length);
            }
        }

        if (!IsClosed)
        {
            Finish();
        }
    }

    /// <summary>Sends bytes that answer no command of this client. Not while a command of this client is executed.
    /// </summary>
    public void Push(ReadOnlySpan<byte> bytes)
    {
        SendBatch();
        if (IsClosed)
        {
            return; // Perhaps since that could not be sent.
        }

        try
        {
            // They go with the next turn, so that many of them share one call of the kernel.
            Output.Append(bytes);
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            CloseWithoutMemory();
            return;
        }

        if (Output.IsOverLimit())
        {
            Close();
            return;
        }

        Watch();
    }

    /// <summary>Adds a message, which lies in a buffer of the worker until <see cref="SendLate"/>, to what is sent.
    /// </summary>
    /// <param name="writer">The worker's buffer.</param>
    /// <param name="start">Where the message begins.</param>
    /// <param name="length">Its bytes.</param>
    /// <param name="isFirst">Whether SendLate must be called at the end of the turn.</param>
    /// <returns>False when there is no memory for it.</returns>
    public bool TryPush(ReplyWriter writer, int start, int length, out bool isFirst)
    {
        try
        {
            SendBatch();
            isFirst = !IsClosed && Output.Push(writer, start, length);
            return true;
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            isFirst = false;
            return false;
        }
    }

    /// <inheritdoc/>
    /// <remarks>Also the messages that were pushed.</remarks>
    public void SendLate(ReplyWriter? replies = null, int start = 0, int length = 0)
    {
        if (IsClosed)
        {
            return;
        }

        try
        {
            if (Output.TrySendPushed() && (replies == null || Output.TrySend(replies, start, length))
                && !Output.IsOverLimit(isUnaskedReply: replies != null))
            {
                Settle();
            }
            else
            {
                Close();
            }
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            CloseWithoutMemory();
        }
    }

    /// <inheritdoc cref="ConnectionInput.Keep"/>
    public void KeepInput() => _input.Keep();

    /// <summary>Executes what has come by now, takes nothing more, and closes when all replies have arrived.</summary>
    public void Drain()
    {
        if (CanExecute() && _drain == null)
        {
            OnEvents(Readiness.In);
        }

        _drain ??= new ConnectionDrain(this, _transport);
        if (Client.WaitsLong || (Output.AwaitsDisk && _worker.Server.Durability.IsRefused))
        {
            Close(); // Nobody knows when its command would be executed, or its change kept.
        }
        else if (!IsClosed)
        {
            Finish();
        }
    }

    /// <summary>Closes the connection when it was idle for too long, or its client reads too slowly for too long.
    /// </summary>
    public void Check()
    {
        if (_drain?.TryEnd() != true && (IsIdleTooLong() || (!Output.IsEmpty && Output.IsOverLimit())))
        {
            Close();
        }
    }

    /// <inheritdoc cref="ITransport.UnreceivedBytes"/>
    public long UnreceivedBytes => _transport.UnreceivedBytes;

    /// <inheritdoc cref="ConnectionOutput.LookForStall"/>
    public bool LookForStall() => Output.LookForStall(_transport.UnarrivedBytes);

    /// <summary>Closes the connection. Replies not sent are lost.</summary>
    public void Close()
    {
        if (IsClosed)
        {
            return;
        }

        IsClosed = true;
        Client.ClosesAfterReply = true; // It may be in the midst of its commands.
        _transport.Dispose();
        _input.Close();
        Output.DropPushed();
        Client.OnClosed();
    }

    /// <inheritdoc/>
    public void Dispose() => Close();

    private void OnReadable()
    {
        LastInteractionMs = _worker.Worker.NowMs;
        var length = _input.Read(out var start);
        if (length > 0)
        {
            Execute(start, length);
            if (!IsClosed)
            {
                Finish();
            }
        }
        else if (length < 0)
        {
            Close();
        }
        else
        {
            Output.Notice();
            Watch();
        }
    }

    /// <summary>Executes the commands in what was read, and leaves the rest in the pipe.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)] // Once per event; it is called in two places, seldom in one.
    private void Execute(byte* start, int length)
    {
        if (length > _worker.Options.ClientQueryBufferLimitBytes)
        {
            _worker.InputLimitsPassed++;
            _worker.Server.Log.QueryBufferLimitReached(Client.Id, Address.ToString());
            Close();
            return;
        }

        _worker.Reply.Protocol = Client.Protocol;
        var arguments = _input.Begin();
        var consumed = Client.Consume(start, length, ref _input.State, arguments);
        if (IsClosed)
        {
            // An error or a limit has closed it while replies were sent; what was answered since is nobody's.
            _worker.Reply.Clear();
            _input.End();
            return;
        }

        if (consumed == length)
        {
            _input.Advance(consumed);
        }
        else
        {
            _input.Advance(consumed, arguments, isExamined: CanExecute());
        }
    }

    /// <summary>Sends the replies, and decides what the pipe is watched for.</summary>
    private void Finish()
    {
        var mayWait = Output.IsIdle && !IsBatched && !Client.ClosesAfterReply && _drain == null;
        if (!mayWait || !_worker.Replies.TryAdd(this, _worker.Reply))
        {
            _ = TryFlush();
        }

        Settle();
    }

    /// <summary>Decides what the pipe is watched for, now that what could be sent was sent.</summary>
    public void Settle()
    {
        if (IsClosed)
        {
            return;
        }

        if (Client.ClosesAfterReply && Output.IsEmpty && !Client.IsParked)
        {
            Close();
        }
        else if (_drain?.TryShut() != true)
        {
            Watch();
        }
    }

    /// <summary>Tells the transport what to watch for.</summary>
    /// <param name="unwanted">What it has just told of in vain.</param>
    public void Watch(uint unwanted = 0)
    {
        // A session that waits briefly mostly goes on before more input comes: that saves two calls of the kernel.
        var takesInput = _drain == null
            && (CanExecute()
                || ((Client.WaitsBriefly || Output.AwaitsDisk) && (_interest & ~unwanted & Readiness.In) != 0));
        var interest = (takesInput ? Readiness.In : 0)
            | (Output.IsEmpty || Output.AwaitsDisk ? 0 : Readiness.Out)
            | (Client.WaitsLong ? Readiness.ReadHangUp : 0); // That may outlast the client.
        if (interest != _interest)
        {
            _interest = interest;
            if (!_transport.TryWatch(interest))
            {
                Close();
            }
        }
    }

    private bool IsIdleTooLong()
    {
        var timeoutMs = _worker.Options.TimeoutSeconds * 1000L;
        return timeoutMs > 0 && !Client.IsMonitor && !Client.IsSubscriber && !Client.IsParked
            && _worker.Worker.NowMs - LastInteractionMs > timeoutMs;
    }

    private bool CanExecute()
        => !Client.IsParked && !Client.ClosesAfterReply && !Output.IsAboveHighWater && !Output.AwaitsDisk;

    private void OnWritable()
    {
        if (Output.TryFlush())
        {
            if (!Output.IsAboveHighWater)
            {
                Client.OnOutputRoom();
            }

            ProcessPending();
        }
        else
        {
            Close();
        }
    }
}
