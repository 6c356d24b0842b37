using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Index;
using Strata.Storage.Interests;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Blocking;

/// <summary>
/// What commands share that wait for a key to have a value. Such a handler is called again whenever a key it waits for
/// may have one, and when its time is up; it must look at <see cref="TryEnd"/> first, take only what it is the client's
/// <see cref="IsTurn">turn</see> for, and end by <see cref="Wait"/> or else by <see cref="End"/>.
/// </summary>
internal static class KeyWait
{
    /// <summary>Answers a command whose time is up, or that CLIENT UNBLOCK ends.</summary>
    public static bool TryEnd(CommandContext context)
    {
        switch (context.Session.Blocked?.End ?? WaitEnd.None)
        {
            case WaitEnd.Timeout:
                context.Reply.NullArray();
                break;
            case WaitEnd.Error:
                context.Reply.Error(Errors.Unblocked);
                break;
            default:
                return false;
        }

        End(context);
        return true;
    }

    /// <summary>Whether a client that has waited by now is to wait on: none of its keys has what it waits for. One that
    /// has another type of value is no error for it, as it is for who comes then (Redis: handleClientsBlockedOnKey).
    /// </summary>
    /// <inheritdoc cref="Wait" path="/param"/>
    public static bool WaitsOn(CommandContext context, RecordType type, int firstKey, int keyCount)
    {
        if (context.Session.Blocked == null)
        {
            return false;
        }

        for (var i = firstKey; i < firstKey + keyCount; i++)
        {
            if (context.TryPeek(context.KeyAt(i), out var record) && record.Type == type)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether the client may take what a key has: nobody who came before waits for it, but for those who are
    /// woken behind it. Who finds nothing there, or another type of value, takes nothing.</summary>
    /// <param name="context">The command.</param>
    /// <param name="key">The key.</param>
    /// <param name="type">What it waits for.</param>
    /// <param name="first">Who came before and has not had their turn; null if it is this client's.</param>
    public static bool IsTurn(CommandContext context, in Key key, RecordType type, out AwaitedKey? first)
    {
        first = null;
        var waits = context.ShardOf(key).Waits;
        if (waits.Count == 0 || context.IsInTransaction)
        {
            return true;
        }

        var blocked = context.Session.Blocked;
        if (waits.FirstFor(key, type) is { } awaited && awaited.Waiter != blocked
            && !ComesBefore(context, blocked, awaited.Waiter)
            && context.TryPeek(key, out var record) && record.Type == type)
        {
            first = awaited;
        }

        return first == null;
    }

    /// <summary>Whether a client was woken before another one, by the same transaction or script, for a key that has
    /// what it waits for still: then all of its keys are its own first, whoever has waited longer.</summary>
    private static bool ComesBefore(CommandContext context, BlockedCommand? blocked, IKeyWaiter other)
        => blocked is { WokenAt: { } at } && Waking.IsBefore(blocked.WokenAs, other.WokenAs)
            && context.TryPeek(at.Key, out var filled) && filled.Type == blocked.Type;

    /// <summary>Whether one of a command's keys has what somebody waits for who came before, or is held while the
    /// command may change it. What blocks finds out by itself who came before, within a transaction nobody else is let
    /// in, and what needs no lease never reads a collection. Who goes on in steps lets nobody pass for whom he would
    /// have to give back what he holds: if it was changed he has given it back, and begins anew.</summary>
    public static bool MustLetPass(CommandContext context, ReadOnlySpan<Key> keys)
    {
        if (context.Row.Has(CommandFlags.LeaseFree) || context.IsInTransaction)
        {
            return false;
        }

        var flags = FlagsOf(context);
        foreach (ref readonly var key in keys)
        {
            if (MustAwaitHeld(context, flags, key) || MustAwaitTurn(context, key, mayGoOn: true))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The same of a key that a command which goes on in steps comes to on its way: it gives back what it
    /// holds, or holds nothing.</summary>
    public static bool MustLetPass(CommandContext context, in Key key)
    {
        var flags = FlagsOf(context);
        return MustAwaitHeld(context, flags, key) || MustAwaitTurn(context, key, mayGoOn: false);
    }

    /// <summary>What a command does, or the transaction that it has executed.</summary>
    private static CommandFlags FlagsOf(CommandContext context)
        => context.IsElsewhere ? context.Row.Flags : context.Session.Transaction.FlagsOf(context.Row);

    /// <summary>Whether a command must wait before it changes a key, since one that goes on in steps holds that. The
    /// lease is held.</summary>
    private static bool MustAwaitHeld(CommandContext context, CommandFlags flags, in Key key)
    {
        var waits = context.ShardOf(key).Waits;
        if ((flags & CommandFlags.Write) == 0 || waits.Count == 0 || !waits.IsHeld(key, context.Client, out var held))
        {
            return false;
        }

        if (!context.IsElsewhere)
        {
            context.Session.LetPass(held);
        }

        return true;
    }

    /// <summary>Whether a command must wait before it touches a key, since that has what a client waits for who has not
    /// had their turn yet. The lease is held.</summary>
    /// <param name="context">The command.</param>
    /// <param name="key">The key.</param>
    /// <param name="mayGoOn">Whether it need not if it has begun, and does not begin anew.</param>
    private static bool MustAwaitTurn(CommandContext context, in Key key, bool mayGoOn)
    {
        var waits = context.ShardOf(key).Waits;
        if (context.Row.Has(CommandFlags.Blocking) || waits.Count == 0 || !context.TryPeek(key, out var record)
            || waits.FirstFor(key, record.Type) is not { } first
            || (mayGoOn && KeyPass.UnderWay(context) != null))
        {
            return false;
        }

        if (!context.IsElsewhere)
        {
            context.Session.LetPass(first);
        }

        first.Wake();
        return true;
    }

    /// <summary>Lets the client wait for keys, in the place it has had since it first did. Nothing was answered.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="type">What it waits for.</param>
    /// <param name="firstKey">Index of the first key.</param>
    /// <param name="keyCount">Number of keys.</param>
    /// <param name="timeoutMs">Milliseconds to wait at most; 0 for ever.</param>
    /// <param name="first">Who came before and must have their turn first; null for nobody.</param>
    /// <param name="stream">Of what waits for streams, what it keeps.</param>
    public static void Wait(
        CommandContext context,
        RecordType type,
        int firstKey,
        int keyCount,
        long timeoutMs,
        AwaitedKey? first,
        StreamWait stream = default)
    {
        var session = context.Session;
        var blocked = session.Blocked;
        if (blocked == null)
        {
            blocked = Begin(context, type, timeoutMs, stream);
            for (var i = firstKey; i < firstKey + keyCount; i++)
            {
                var key = context.KeyAt(i);
                blocked.Add(context.ShardOf(key), key);
            }
        }
        else if (first == null)
        {
            blocked.EndTurn();
        }

        if (first != null)
        {
            blocked.Follow(first); // Its own turn is yet to come.
        }

        session.Block(blocked);
    }

    /// <summary>A command that is about to wait, for no key yet. There is memory for all.</summary>
    /// <inheritdoc cref="Wait" path="/param"/>
    public static BlockedCommand Begin(
        CommandContext context, RecordType type, long timeoutMs, StreamWait stream = default)
    {
        HeldRoom.Ask(context);
        var deadlineMs = timeoutMs == 0 ? long.MaxValue : context.NowMs + timeoutMs;
        return new BlockedCommand(context.Session, type, deadlineMs) { Stream = stream };
    }

    /// <summary>A number that stands for a group of consumers.</summary>
    public static ulong NumberOf(ReadOnlySpan<byte> group) => KeyHash.Compute(group) | 1;

    /// <summary>Whether a client that has waited for streams by now is to wait on: no key that has brought something is
    /// a
    /// stream now. Another type of value is no error for it there.</summary>
    public static bool WaitsOnStreams(CommandContext context)
    {
        if (context.Session.Blocked is not { } blocked)
        {
            return false;
        }

        foreach (var awaited in blocked.Keys)
        {
            if (awaited.IsDue && context.TryPeek(awaited.Key, out var record) && record.Type == RecordType.Stream)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Who waits for a stream's entries for a group, came before the client and may have some; null for
    /// nobody.</summary>
    public static AwaitedKey? FirstOfGroups(CommandContext context, in Key key)
    {
        var waits = context.ShardOf(key).Waits;
        return waits.Count == 0 || context.IsInTransaction ? null : waits.FirstOfGroups(key, context.Session.Blocked);
    }

    /// <summary>Lets somebody have their turn before the command, whether it waits by now or not. Nothing was answered.
    /// </summary>
    public static void LetPass(CommandContext context, AwaitedKey first)
    {
        var session = context.Session;
        if (session.Blocked is { } blocked)
        {
            blocked.Follow(first);
            session.Block(blocked);
            return;
        }

        session.LetPass(first);
        first.Wake();
        context.Postponed = Postponement.LetsPass;
    }

    /// <summary>The command is answered: others may have their turn.</summary>
    public static void End(CommandContext context) => context.Session.EndBlocked();
}
