using System.Runtime.CompilerServices;
using Strata.Server.Clients;
using Strata.Server.Clients.Tracking;
using Strata.Server.Commands.Model;
using Strata.Server.Journal;
using Strata.Server.Runtime;
using Strata.Storage.Memory;

namespace Strata.Server.Execution;

/// <summary>
/// Calls handlers on one worker: what one throws becomes an error reply, what it changes is told to the journal, and
/// what it changes or reads the disk must have, with <c>appendfsync always</c>, before its client is answered. The
/// leases are held.
/// </summary>
internal sealed class HandlerCalls
{
    private readonly EffectJournal _journal;
    private readonly Durability _durability;
    private readonly MemoryGuard _memory;
    private readonly ServerContext _server;
    private readonly WorkerTracking _tracking;

    public HandlerCalls(ExecutionWorker owner, MemoryGuard memory)
    {
        Changes = new ChangeRoom(owner);
        _server = owner.Server;
        _tracking = owner.Tracking;
        _journal = owner.Services.Journal;
        _durability = owner.Server.Durability;
        _memory = memory;
    }

    /// <summary>Memory that large changes take at once.</summary>
    public ChangeRoom Changes { get; }

    /// <summary>Executes a handler whose leases are held, or that needs none.</summary>
    public Attempt Execute(CommandContext context)
        => !_journal.IsOn || !context.Row.MayChange ? Call(context)
            : context.Effects == null && !context.Row.NeedsLeases ? TellUnleased(context)
            : Tell(context, (EffectQueue?)context.Effects ?? _journal.QueueOf(context.Shard));

    /// <summary>Executes a handler that changes what lies in no shard, and tells the journal of it.</summary>
    private Attempt TellUnleased(CommandContext context)
    {
        context.Effects = new UnshardedEffects(_journal, context);
        try
        {
            return Call(context);
        }
        finally
        {
            context.Effects = null;
        }
    }

    /// <summary>Executes a handler, and tells the journal what it has changed.</summary>
    private Attempt Tell(CommandContext context, EffectQueue effects)
    {
        if (context.Request.ArgumentBytes >= ServerLimits.FreeChangeBytes
            && !TryAskForEffects(context, out var refused))
        {
            return refused;
        }

        var outer = context.Effects;
        context.Effects = effects;
        effects.BeginUnit();
        effects.BeginCommand(context.Client.Database);
        try
        {
            var attempt = Call(context);
            effects.EndCommand(context.Row, context.Request);
            return attempt;
        }
        finally
        {
            effects.EndUnit();
            context.Effects = outer;
        }
    }

    /// <summary>Asks for the memory of what the journal is to be told of a large command; of one that takes no other
    /// memory, as it may be what frees some, of a very large one alone.</summary>
    private bool TryAskForEffects(CommandContext context, out Attempt refused)
    {
        refused = Attempt.Done;
        var bytes = context.Request.ArgumentBytes;
        var isAsked = context.Row.Has(CommandFlags.DenyOom) || bytes >= ServerLimits.JournalQueueLeastBytes;
        var taken = ChangeRoom.BytesOf(context.Row, bytes);
        var room = isAsked ? Changes.RoomForEffects(taken, context.IsInTransaction) : Room.Made;
        if (room == Room.Made)
        {
            return true;
        }

        if (room == Room.OnItsWay)
        {
            refused = Attempt.NoRoom;
        }
        else if (MayMakeRoom(context) && !_server.Shards.Budget.CanNeverHold(taken + bytes))
        {
            context.CommandRoom?.Want(taken);
            refused = Attempt.WantsRoom;
        }
        else
        {
            context.Reply.Error(Errors.OutOfMemory);
        }

        return false;
    }

    /// <summary>Notes what the disk must have before the client is answered: what it has changed, and what it has read.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void NoteAccess(CommandContext context)
    {
        if (_durability.IsAwaited)
        {
            AwaitDisk(context);
        }
    }

    /// <summary>The same of a command that was executed without leases; also, that its client has read its keys.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void NoteRead(CommandContext context)
    {
        NoteAccess(context);
        if (context.Client.RemembersReads)
        {
            _tracking.Remember(context);
        }
    }

    private void AwaitDisk(CommandContext context)
    {
        var row = context.Row;
        context.Client.AwaitsUnsharded |= row.Group == CommandGroup.Scripting;
        if (row.Has(CommandFlags.Write) || !row.IsSingleKey(context.Count))
        {
            // A script knows what its commands have told it, each of which is looked at by itself.
            // What is neither a change nor a read (BGSAVE, say) waits for nothing.
            context.Client.AwaitsAllSequences |= row.Has(CommandFlags.Write)
                || (row.Has(CommandFlags.ReadOnly) && !row.Has(CommandFlags.ExecutesScript));
        }
        else if (_journal.Unsynced is { } unsynced)
        {
            context.Client.AwaitedSequence =
                Math.Max(context.Client.AwaitedSequence, unsynced.SequenceOf(context.Key.Hash));
        }
    }

    private Attempt Call(CommandContext context)
        => context.Session.IsLoader ? CallLeniently(context) : CallHandler(context);

    private Attempt CallLeniently(CommandContext context)
    {
        using var lenience = new LenienceScope(MayMakeRoom(context) ? Lenience.Waits : Lenience.Takes);
        return CallHandler(context);
    }

    private Attempt CallHandler(CommandContext context)
    {
        context.IsLeased = true;
        NoteAccess(context);
        var start = context.Reply.Length;
        try
        {
            context.Row.Handler(context);
        }
        catch (NoRoomException exception) when (MayMakeRoom(context))
        {
            TakeBack(context, start);
            context.CommandRoom?.Want(exception.Bytes);
            return Attempt.WantsRoom;
        }
        catch (Exception exception)
        {
            Fail(context, start, exception);
        }

        if (context.Postponed != Postponement.None)
        {
            return Postpone(context);
        }

        if (context.Client.RemembersReads && !context.IsElsewhere)
        {
            _tracking.Remember(context); // Behind the handler: what that has found expired has been told before.
        }

        return Attempt.Done;
    }

    private static Attempt Postpone(CommandContext context)
    {
        var attempt = context.Postponed == Postponement.GoesOn ? Attempt.Unfinished : Attempt.NotItsTurn;
        context.Postponed = Postponement.None;
        return attempt;
    }

    /// <summary>Answers the error of a command that has thrown. That of a programmer is in the log, with its stack, and
    /// the process lives.</summary>
    public void Fail(CommandContext context, int replyStart, Exception exception)
    {
        InterruptedChanges.Tell(context);
        context.Postponed = Postponement.None;
        TakeBack(context, replyStart);
        if (exception is MemoryExhaustedException)
        {
            context.Reply.Error("OOM " + exception.Message);
        }
        else
        {
            context.Reply.Error(Errors.Internal);
            _server.Log.CommandFailed(context.Row.FullName, exception);
        }
    }

    /// <summary>Takes back a reply that was broken off, and gives its memory back if nothing else stands there: it may
    /// be a while until the command is tried again, and many may wait.</summary>
    private static void TakeBack(CommandContext context, int start)
    {
        context.Reply.Rewind(start);
        if (start == 0)
        {
            context.Reply.Clear();
        }
    }

    /// <summary>Whether a command whose reply, or a value that it makes, has found no memory may be tried again when
    /// some was made: not one of a transaction or a script, whose leases are held and some of whose changes are made,
    /// and none that only reads for a client that has gone.</summary>
    public bool MayMakeRoom(CommandContext context)
        => !context.IsInTransaction && context.CommandRoom is not { IsLast: true }
            && (_memory.MayGiveUp || _server.Shards.Budget.IsBehind)
            && (context.Row.Has(CommandFlags.Write) || !context.Session.Connection.IsClosed);
}
