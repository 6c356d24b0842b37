using Strata.Server.Resp;
using Strata.Server.Sessions;
using Strata.Storage;
using Strata.Storage.Runtime;

namespace Strata.Server.Network;

/// <summary>
/// One client's socket on one worker. Input is received into the worker's own buffer and parsed there, replies are
/// written to the worker's own buffer and sent at once; only what is left over (an unfinished command, bytes the
/// socket does not take) goes into buffers of the connection, which hold no memory while empty. Socket errors end here:
/// whatever they are, the connection is closed.
/// </summary>
internal sealed unsafe class Connection : IEventHandler, IDisposable
{
    private readonly ServerWorker _worker;
    private readonly ClientSocket _socket;
    private readonly NativeBuffer _pending;
    private ParseState _state;
    private ArgumentBuffer? _arguments;
    private uint _interest = EpollMask.In;
    private int _slot = -1;
    private bool _isDraining;
    private bool _isShut;

    public Connection(ServerWorker worker, int fd, ClientAddress address, long id)
    {
        _worker = worker;
        _socket = new ClientSocket(fd);
        Address = address;
        _pending = new NativeBuffer(worker.Server.Shards.Budget);
        Output = new ConnectionOutput(worker, this, _socket);
        Session = new Session(worker, this, id);
        CreatedMs = worker.Worker.NowMs;
        LastInteractionMs = CreatedMs;
    }

    public Session Session { get; }

    public ClientAddress Address { get; }

    public int Descriptor => _socket.Descriptor;

    public bool IsClosed { get; private set; }

    /// <summary>Wall clock, milliseconds since 1970.</summary>
    public long CreatedMs { get; }

    /// <inheritdoc cref="CreatedMs"/>
    public long LastInteractionMs { get; internal set; }

    /// <summary>Bytes received and not executed yet.</summary>
    public long PendingBytes => _pending.Length;

    /// <summary>What is sent to the client.</summary>
    public ConnectionOutput Output { get; }

    /// <summary>Memory of the buffer of unfinished input, bytes.</summary>
    public long PendingCapacityBytes => _pending.Capacity;

    /// <summary>Memory of the unfinished command's arguments, bytes.</summary>
    public long ArgumentBytes => _arguments == null ? 0 : (long)_arguments.Count * sizeof(Argument);

    /// <summary>Whether input is taken from the socket now.</summary>
    public bool WatchesInput => (_interest & EpollMask.In) != 0;

    /// <summary>Whether replies wait for the socket to take them.</summary>
    public bool WatchesOutput => (_interest & EpollMask.Out) != 0;

    /// <summary>Where the worker keeps the connection.</summary>
    public int ListIndex { get; set; }

    /// <summary>Starts to receive.</summary>
    /// <returns>False with errno when the kernel refused.</returns>
    public bool TryStart()
    {
        _slot = _worker.Worker.Loop.Add(Descriptor, _interest, this);
        return _slot >= 0;
    }

    /// <inheritdoc/>
    public void OnEvents(uint mask)
    {
        try
        {
            Handle(mask);
        }
        catch (OutOfMemoryException)
        {
            _worker.DropUnfinishedWork();
            CloseWithoutMemory();
        }
    }

    /// <summary>Goes on with what was received while the session was parked; from the worker's inbox.</summary>
    public void Resume()
    {
        try
        {
            ProcessPending();
        }
        catch (OutOfMemoryException)
        {
            _worker.DropUnfinishedWork();
            CloseWithoutMemory();
        }
    }

    /// <summary>What this connection asks for cannot be had: it goes, the others stay.</summary>
    private void CloseWithoutMemory()
    {
        _worker.Server.Log.NoMemoryForClient(Session.Id, Address.ToString());
        Close();
    }

    private void Handle(uint mask)
    {
        if ((mask & EpollMask.Out) != 0)
        {
            OnWritable();
        }

        if (!IsClosed && (mask & EpollMask.In) != 0)
        {
            OnInput();
        }
        else if (!IsClosed && (mask & EpollMask.ReadHangUp) != 0 && Session.WaitsLong)
        {
            Close();
        }
        else if (!IsClosed && (mask & (EpollMask.Error | EpollMask.HangUp)) != 0)
        {
            Close();
        }
    }

    private void OnInput()
    {
        if (CanExecute())
        {
            OnReadable();
        }
        else
        {
            Watch(unwanted: EpollMask.In);
        }
    }

    /// <summary>Sends the replies written so far; what the socket does not take waits in the backlog.</summary>
    /// <returns>Whether the connection may go on executing commands.</returns>
    public bool TryFlush()
    {
        var reply = _worker.Reply;
        if (IsClosed || reply.Length == 0)
        {
            reply.Clear();
            return !IsClosed;
        }

        var isOpen = Output.TrySend(reply);
        reply.Clear();
        if (!isOpen || Output.IsOverLimit())
        {
            Close();
            return false;
        }

        return !Output.IsAboveHighWater;
    }

    /// <summary>Executes what was received and not dealt with, and sends the replies.</summary>
    private void ProcessPending()
    {
        if (IsClosed)
        {
            return;
        }

        if (!_pending.IsEmpty && CanExecute())
        {
            _worker.Reply.Protocol = Session.Protocol;
            var arguments = _arguments ?? _worker.Arguments;
            var length = (int)Math.Min(_pending.Length, int.MaxValue);
            var leavingBytes = _pending.BeginLeaving();
            var consumed = _worker.Commands.Consume(Session, _pending.Start, length, ref _state, arguments);
            _pending.EndLeaving(leavingBytes);
            if (!IsClosed) // An error or a limit may have closed it while replies were sent.
            {
                _pending.Consume(consumed);
                KeepArguments(arguments);
            }
        }

        Finish();
    }

    /// <summary>Sends bytes that answer no command of this client. Not while a command of this client is executed.
    /// </summary>
    public void Push(ReadOnlySpan<byte> bytes)
    {
        if (IsClosed)
        {
            return;
        }

        try
        {
            // They go with the next turn, so that many of them share one call of the kernel.
            Output.Append(bytes);
        }
        catch (OutOfMemoryException)
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

    /// <summary>Adds a message, which lies in a buffer of the worker until <see cref="SendPushed"/>, to what is sent.
    /// </summary>
    /// <returns>Whether SendPushed must be called at the end of the turn.</returns>
    public bool Push(ReplyWriter writer, int start, int length)
    {
        try
        {
            return !IsClosed && Output.Push(writer, start, length);
        }
        catch (OutOfMemoryException)
        {
            CloseWithoutMemory();
            return false;
        }
    }

    /// <summary>Sends the messages that were pushed. Not while a command of this client is executed.</summary>
    public void SendPushed()
    {
        if (IsClosed)
        {
            return;
        }

        try
        {
            if (Output.TrySendPushed() && !Output.IsOverLimit())
            {
                Watch();
            }
            else
            {
                Close();
            }
        }
        catch (OutOfMemoryException)
        {
            CloseWithoutMemory();
        }
    }

    /// <summary>Executes what has come by now, takes nothing more, and closes when all replies have arrived.</summary>
    public void Drain()
    {
        if (CanExecute() && !_isDraining)
        {
            OnReadable();
        }

        _isDraining = true;
        if (Session.WaitsLong)
        {
            Close(); // Nobody knows when its command would be executed.
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
        if (_isShut)
        {
            CloseWhenArrived();
        }
        else if (IsIdleTooLong() || (!Output.IsEmpty && Output.IsOverLimit()))
        {
            Close();
        }
    }

    /// <summary>Closes the socket. Replies not sent are lost.</summary>
    public void Close()
    {
        if (IsClosed)
        {
            return;
        }

        IsClosed = true;
        if (_slot >= 0)
        {
            _worker.Worker.Loop.Remove(_slot, Descriptor);
        }

        _socket.Close();
        _pending.Dispose();
        Output.Dispose();
        _arguments?.Dispose();
        _arguments = null;
        Session.OnClosed();
        _worker.OnClosed(this);
    }

    /// <inheritdoc/>
    public void Dispose() => Close();

    private void OnReadable()
    {
        LastInteractionMs = _worker.Worker.NowMs;
        if (!_pending.IsEmpty)
        {
            ReceivePending();
            return;
        }

        var buffer = _worker.ReceiveBuffer;
        var received = Receive(buffer, Limits.ReceiveBufferBytes);
        if (received <= 0)
        {
            return;
        }

        _worker.Reply.Protocol = Session.Protocol;
        _worker.Arguments.Clear();
        var consumed = _worker.Commands.Consume(Session, buffer, received, ref _state, _worker.Arguments);
        if (consumed < received && !IsClosed)
        {
            _pending.Append(buffer + consumed, received - consumed);
            KeepArguments(_worker.Arguments);
        }

        Finish();
    }

    private void ReceivePending()
    {
        var missing = _state.LeastLength - _pending.Length;
        _ = _pending.ReserveTail(Math.Clamp(missing, Limits.ReceiveBufferBytes / 4, Limits.MaxReceiveBytes));
        var room = (int)Math.Min(_pending.TailRoom, Limits.MaxReceiveBytes);
        var received = Receive(_pending.Start + _pending.Length, room);
        if (received <= 0)
        {
            return;
        }

        _pending.Commit(received);
        if (_pending.Length > _worker.Options.ClientQueryBufferLimitBytes)
        {
            _worker.Server.Log.QueryBufferLimitReached(Session.Id, Address.ToString());
            Close();
            return;
        }

        ProcessPending();
    }

    /// <summary>Sends the replies, and decides what the socket is watched for.</summary>
    private void Finish()
    {
        _ = TryFlush();
        if (IsClosed)
        {
            return;
        }

        if (Session.ClosesAfterReply && Output.IsEmpty)
        {
            Close();
        }
        else if (_isDraining && Output.IsEmpty && !Session.IsParked && !_isShut)
        {
            Shut();
        }
        else
        {
            Watch();
        }
    }

    /// <summary>Tells the kernel what to watch the socket for.</summary>
    /// <param name="unwanted">What it has just told of in vain.</param>
    private void Watch(uint unwanted = 0)
    {
        // A session that waits briefly mostly goes on before more input comes: that saves two calls of the kernel.
        var takesInput = !_isDraining
            && (CanExecute() || (Session.WaitsBriefly && (_interest & ~unwanted & EpollMask.In) != 0));
        var interest = (takesInput ? EpollMask.In : 0)
            | (Output.IsEmpty ? 0 : EpollMask.Out)
            | (Session.WaitsLong ? EpollMask.ReadHangUp : 0); // That may outlast the client.
        if (interest != _interest)
        {
            _interest = interest;
            if (!_worker.Worker.Loop.Modify(_slot, Descriptor, interest))
            {
                Close();
            }
        }
    }

    /// <summary>Tells the client that no more comes. The socket stays until all has arrived: closed at once, with input
    /// unread, it would take back what is under way.</summary>
    private void Shut()
    {
        _isShut = true;
        Watch();
        if (!IsClosed && !_socket.TryShutWrite())
        {
            Close();
            return;
        }

        CloseWhenArrived();
    }

    private void CloseWhenArrived()
    {
        if (!IsClosed && (Address.Remote == null || !_socket.HasUnacknowledged()))
        {
            Close();
        }
    }

    private bool IsIdleTooLong()
    {
        var timeoutMs = _worker.Options.TimeoutSeconds * 1000L;
        return timeoutMs > 0 && !Session.IsMonitor && !Session.IsSubscriber && !Session.IsParked
            && _worker.Worker.NowMs - LastInteractionMs > timeoutMs;
    }

    private bool CanExecute()
        => !Session.IsParked && !Session.ClosesAfterReply && !Output.IsAboveHighWater;

    private void OnWritable()
    {
        if (Output.TrySendBacklog())
        {
            ProcessPending();
        }
        else
        {
            Close();
        }
    }

    /// <summary>An unfinished command keeps its arguments with the connection.</summary>
    private void KeepArguments(ArgumentBuffer arguments)
    {
        if (IsClosed || arguments == _arguments)
        {
            if (_pending.IsEmpty && _arguments != null)
            {
                _worker.Return(_arguments);
                _arguments = null;
            }

            return;
        }

        if (_state.ArgumentsLeft > 0)
        {
            _arguments = _worker.RentArguments();
            _arguments.CopyFrom(arguments, 0);
        }
    }

    private int Receive(byte* buffer, int bytes)
    {
        var received = _socket.Receive(buffer, bytes);
        if (received < 0)
        {
            Close();
            return 0;
        }

        _worker.ReceivedBytes += received;
        return received;
    }
}
