using Strata.Server.Clients.Costs;
using Strata.Server.Commands.Model;
using Strata.Server.Network;
using Strata.Storage.Interests;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Server.Clients.Waiting;

/// <summary>A client as what it waits for knows it: it has begun something, and is parked until all of that is there
/// that it needs. Belongs to its worker.</summary>
public abstract class WaitingClient : CommandClient, IKeyWaker
{
    private SyncWait? _syncWait;
    private readonly LeaseNotice _notice;
    private TurnNotice? _turn;
    private bool _waitsForOutput;
    private AwaitedKey? _lastWoken;

    // Made once: whoever has much to do lets others have their turn often.
    private Action? _resume;
    private Action? _endWait;

    private protected WaitingClient(ClientWorker worker, Connection connection, long id)
        : base(connection, id)
    {
        Worker = worker;
        _notice = new LeaseNotice(this, worker.Worker);
    }

    /// <summary>What of the client's cost its owner has been charged with.</summary>
    internal CostShare CostShare;

    /// <inheritdoc/>
    internal override ClientWorker Worker { get; }

    /// <summary>Memory of the commands that the client has begun and that wait, bytes.</summary>
    internal long SuspendedBytes => Suspended?.MemoryBytes ?? 0;

    /// <summary>The client's blocking command, until it is answered: woken, it is executed again.</summary>
    internal BlockedCommand? Blocked { get; private set; }

    /// <summary>Whether others come before the session's next command: who waits for a key that a command of it has
    /// given what they want, or that the next one names, and has not had their turn yet.</summary>
    internal bool IsOthersTurn => _turn is { IsFollowing: true };

    /// <summary>The command that goes on step by step, what it has by now; disposed of when it or the client ends.
    /// </summary>
    internal IDisposable? Unfinished { get; set; }

    /// <summary>What the client has begun and waits with; null if nothing.</summary>
    private protected SuspendedWork? Suspended { get; private set; }

    // Commands in other hands may be the first to need it.
    private TurnNotice Turn
        => _turn ?? Interlocked.CompareExchange(ref _turn, new TurnNotice(this), null) ?? _turn;

    /// <inheritdoc/>
    internal override void Resume()
    {
        IsParked = false;
        IsPaused = false;
        IsBlocked = false;
        Connection.Resume();
    }

    /// <summary>Goes on with the next command in another turn; the client must be parked.</summary>
    internal void PostResume() => Worker.PostStep(_resume ??= Resume);

    /// <summary>Goes on with what was begun, which waits for that alone, in another turn.</summary>
    internal void PostStep() => Worker.PostStep(_endWait ??= OnWaitEnded);

    /// <summary>Waits for the end of CLIENT PAUSE; the command is executed then.</summary>
    internal void WaitForUnpause()
    {
        IsParked = true;
        IsPaused = true;
    }

    /// <summary>Waits for a key; the command is executed again when one may be there.</summary>
    internal void Block(BlockedCommand command)
    {
        if (Blocked == null)
        {
            Blocked = command;
            Worker.Blocked.Add(command);
        }

        IsParked = true;
        IsBlocked = true;
    }

    /// <summary>The blocking command, if there is one, is answered, or its client has gone.</summary>
    internal void EndBlocked()
    {
        if (Blocked is { } command)
        {
            Blocked = null;
            IsBlocked = false;
            Worker.Blocked.Remove(command);
            command.Leave();
        }
    }

    /// <summary>What the blocking command waits for may be there. If it is under way already it will find out by
    /// itself.</summary>
    internal void OnWake(BlockedCommand command)
    {
        if (IsBlocked && Blocked == command)
        {
            OnWaitEnded();
        }
    }

    /// <summary>Has its blocked command executed again when the disk has what that waits for.</summary>
    internal void WaitForDisk() => (_syncWait ??= new SyncWait(this)).Enter();

    /// <summary>Waits until a lease is given back.</summary>
    internal void WaitForLease(ShardLease lease) => lease.Queue(_notice);

    /// <summary>Waits until the client has read some of what it was answered.</summary>
    internal void WaitForOutput() => _waitsForOutput = true;

    /// <summary>A command must let someone pass who waits for its key.</summary>
    internal void LetPass(AwaitedKey first) => first.Follow(Turn);

    /// <summary>A command must wait until a key is held no longer.</summary>
    internal void LetPass(HeldKey held) => held.Follow(Turn);

    /// <summary>A command has exchanged databases: who may have what they wait for is yet to be woken, and has their
    /// turn before the next command.</summary>
    internal void LetPassExchanged(ShardMap shards) => _ = new ExchangeWakes(shards, Worker.Worker, this, Turn);

    /// <inheritdoc/>
    /// <remarks>Before another transaction all whom the last one has woken have had their turn.</remarks>
    AwaitedKey? IKeyWaker.LastWoken => IsInTransaction && IsOthersTurn ? _lastWoken : null;

    /// <summary>A command has woken someone: they have their turn before the next command, and whoever follows the
    /// command, if it has waited itself, lets them have it, too. On any thread.</summary>
    void IKeyWaker.OnWoken(AwaitedKey awaited)
    {
        if (awaited.Waiter != Blocked)
        {
            awaited.Follow(Turn);
            Blocked?.LetFollow(awaited);
            _lastWoken = IsInTransaction && awaited.Waiter.Type != RecordType.Stream ? awaited : null;
        }
    }

    /// <summary>Waits until those have had their turn who come before the session's next command.</summary>
    /// <returns>False when they have had it.</returns>
    internal bool TryWaitForTurn() => _turn!.TryAwait();

    /// <summary>Lets the session wait, before its next command, until those have had their turn who come first.
    /// </summary>
    /// <returns>False when they have had it.</returns>
    internal bool TryParkForTurn()
    {
        if (_turn!.TryAwait())
        {
            Park();
            return true;
        }

        return false;
    }

    /// <summary>Those who came first have had their turn.</summary>
    internal void OnTurn()
    {
        if (Suspended == null)
        {
            Resume();
        }
        else
        {
            OnWaitEnded();
        }
    }

    /// <summary>A command that went on step by step has ended.</summary>
    internal void EndUnfinished()
    {
        Unfinished?.Dispose();
        Unfinished = null;
    }

    /// <summary>Waits for what is left of what it has begun.</summary>
    internal void WaitFor(SuspendedWork work)
    {
        IsParked = true;
        Suspended = work;
    }

    /// <summary>Whether what has come may be received: while many wait for the device at the end of memory only from
    /// those who have sent little, and while very many do, from nobody.</summary>
    internal bool MayReceive
        => Worker.Tier is not { IsCrowded: true } tier
            || (!tier.IsFull && Connection.UnreceivedBytes <= ServerLimits.LittleInputBytes);

    /// <inheritdoc/>
    internal override bool TryReceive()
    {
        if (MayReceive)
        {
            return true;
        }

        WaitToReceive();
        return false;
    }

    /// <summary>Takes no more input until there is memory.</summary>
    internal void WaitToReceive()
    {
        WaitFor(new ReceivePause(this) { Waits = 1 });
        Worker.WaitForRoom(this);
    }

    /// <summary>Makes the memory that what was begun waits for; none where its reply is nobody's, and that is all.
    /// </summary>
    /// <returns>False when that must be waited for still.</returns>
    internal bool TryMakeRoom(long nowMs)
        => (Connection.IsClosed && !Suspended!.ChangesSomething) || Suspended!.TryMakeRoom(nowMs);

    /// <summary>One of the things that what was begun waits for is there; after the last one it goes on.</summary>
    internal void OnWaitEnded()
    {
        if (--Suspended!.Waits == 0)
        {
            IsParked = false;
            IsBlocked = false;
            Connection.Resume();
        }
    }

    /// <summary>What was waited for on the device has been read. The reads of many clients may end together: those who
    /// go on with much do so one after the other.</summary>
    private protected void EndColdWait()
    {
        if (Suspended!.IsLong)
        {
            PostStep();
        }
        else
        {
            OnWaitEnded();
        }
    }

    /// <inheritdoc/>
    internal override void OnOutputRoom()
    {
        if (_waitsForOutput)
        {
            // Not within whatever finds it out, which may be another client's command that closes this one.
            _waitsForOutput = false;
            Worker.Post(OnWaitEnded);
        }
    }

    private protected void EndSuspended()
    {
        var work = Suspended!;
        Suspended = null;
        work.End();
    }
}
