using Strata.Server.Resp;
using Strata.Server.Runtime;

namespace Strata.Server.Network;

/// <summary>A client, as its connection knows it: who takes its bytes, and what it waits for.</summary>
public abstract unsafe class ConnectedClient
{
    private protected ConnectedClient(Connection connection, long id)
    {
        Connection = connection;
        Id = id;
    }

    /// <summary>The client's number, never used again.</summary>
    public long Id { get; }

    /// <summary>Where the client comes from.</summary>
    public ClientAddress Address => Connection.Address;

    /// <summary>2 or 3.</summary>
    public int Protocol { get; private protected set; } = 2;

    /// <summary>Whether the client is waiting and its input must not be read.</summary>
    public bool IsParked { get; private protected set; }

    /// <summary>Whether the client waits for the end of CLIENT PAUSE.</summary>
    public bool IsPaused { get; private protected set; }

    /// <summary>Whether the client waits for its blocking command's keys.</summary>
    public bool IsBlocked { get; private protected set; }

    /// <summary>Whether the connection ends once its replies are sent (QUIT, broken protocol).</summary>
    public bool ClosesAfterReply { get; set; }

    /// <summary>The last batch of the journal that the disk must have before the client gets the replies that are
    /// written now. On the client's worker, or on the thread that executes a command for it.</summary>
    public long AwaitedSequence { get; internal set; }

    /// <summary>Whether these replies wait for all that was told the journal by the time at which they are
    /// sent.</summary>
    public bool AwaitsAllSequences { get; internal set; }

    /// <summary>The same of what has to do with no shard (libraries of functions).</summary>
    public bool AwaitsUnsharded { get; internal set; }

    /// <summary>Whether the client is sent what others do (MONITOR).</summary>
    public abstract bool IsMonitor { get; }

    /// <summary>Whether the client subscribes to something.</summary>
    public abstract bool IsSubscriber { get; }

    /// <summary>Whether the client has been told of keys that others have changed (CLIENT TRACKING), its own or
    /// another's in whose place it is.</summary>
    public bool IsTold { get; internal set; }

    /// <summary>The worker the client lives on.</summary>
    internal abstract WorkerContext Worker { get; }

    internal Connection Connection { get; }

    /// <summary>Whether the client waits for something that may never come: the end of CLIENT PAUSE, a key.</summary>
    internal bool WaitsLong => IsPaused || IsBlocked;

    /// <summary>Whether the client waits for what will soon be there: a lease, the device, other workers.</summary>
    internal bool WaitsBriefly => IsParked && !WaitsLong;

    /// <summary>Takes no more input until <see cref="Resume"/>.</summary>
    internal void Park() => IsParked = true;

    /// <summary>Goes on with the input.</summary>
    internal abstract void Resume();

    /// <summary>Whether what has come may be received; otherwise the client is parked until there is memory for what
    /// it may begin.</summary>
    internal abstract bool TryReceive();

    /// <summary>Goes on with what was begun and had to wait, if there is something.</summary>
    /// <returns>False when it must wait again; otherwise its replies are written.</returns>
    internal abstract bool TryContinue();

    /// <summary>Executes commands in what was received.</summary>
    /// <param name="input">The first byte of a command.</param>
    /// <param name="length">Bytes there are.</param>
    /// <param name="state">How far a command begun earlier was parsed; afterwards, how far the last one was.</param>
    /// <param name="arguments">The arguments of a command begun earlier; afterwards, those of the last one.</param>
    /// <returns>Bytes dealt with: what follows is an unfinished command, or waits until the client goes on.</returns>
    internal abstract int Consume(byte* input, int length, ref ParseState state, ArgumentBuffer arguments);

    /// <summary>Forgets what an event that ended early, for want of memory, left in the worker's buffers.</summary>
    internal abstract void DropUnfinishedWork();

    /// <summary>The client has read enough of what it was answered to go on.</summary>
    internal abstract void OnOutputRoom();

    /// <summary>The connection is closed.</summary>
    internal abstract void OnClosed();
}
