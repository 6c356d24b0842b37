using Strata.Server.Clients;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Interests;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Shared;

/// <summary>
/// A command that takes long, on its way: a part of it is done in each step, and others have their turn in between. It
/// holds its keys meanwhile (<see cref="HeldKey"/>): who may change them waits, so that it is as if it were executed
/// at one moment, its last. Until then it changes nothing; if what cannot wait changes a key, or a collection is
/// frozen, it begins anew, and at last it is done in one go. Between EXEC's commands and in scripts there are no steps.
/// </summary>
internal abstract class KeyPass : IDisposable
{
    private const int MostAttempts = 4;

    // Of those that follow it is only known which they are by their hashes.
    private const int HeldByName = 64;

    // Where many keys are looked up anew in each step, it is longer: by so much for each, and at most so many times as
    // long.
    private const int EffortOfKey = 3;
    private const int LongestStep = 4;

    // So many keys are held before it is looked whether there is memory for as many more.
    private const int KeysPerAsking = 1024;

    // Of a command with more arguments there are not several at the same time.
    private const int MostCompared = 8;

    // Bytes of an argument that are compared, at its beginning and at its end.
    private const int ComparedBytes = 64;

    // For headers that are known only after their elements.
    private const int HeadroomBytes = 512;

    private readonly WorkerContext _worker;
    private readonly CommandRow _row;
    private readonly int _arguments;
    private int _attempt;
    private readonly KeyHold _hold = new();
    private readonly int[] _heldOf; // How many keys of each shard are held.
    private readonly int _protocol;
    private readonly List<HeldKey> _held = [];
    private readonly HeldKeys?[] _heldByHash; // By shard.
    private MemoryCharge _charge;
    private int _count;
    private ReplyWriter? _reply;
    private long _exchanges;
    private bool _isOver;

    /// <summary>Takes the place of what the client's command has been by now.</summary>
    private protected KeyPass(CommandContext context)
    {
        _worker = context.Session.Worker;
        _row = context.Row;
        _protocol = context.Reply.Protocol;
        _arguments = HashOf(context);
        _heldOf = new int[context.Server.Shards.Count];
        _heldByHash = new HeldKeys?[_heldOf.Length];
        _charge = new MemoryCharge(context.Server.Shards.Budget);
        _attempt = context.Session.Unfinished is KeyPass earlier && earlier.IsOf(context) ? earlier._attempt + 1 : 1;
    }

    /// <summary>Where a reply is made that takes several steps.</summary>
    private protected ReplyWriter Reply => _reply ??= CreateReply();

    /// <summary>The first of the keys that it holds.</summary>
    private protected Key FirstHeld => _held[0].Key;

    /// <summary>Whether a command has so many keys that they are not looked at before it begins, but one after another,
    /// in steps, and mostly held (<see cref="TryHold"/>). Where values may be on the disk they are asked for before;
    /// what has waited for one is executed in one go.</summary>
    public static bool GoesOneByOne(CommandContext context)
        => (context.Row.HoldsOneByOne || context.Row.ChangesOneByOne) && context.Count > context.Row.ArgumentsAtOnce
            && context.Cold == null && context.Session.Blocked == null && MayStop(context);

    /// <summary>Whether a command goes on in steps, or is about to: then it needs the leases, though it may otherwise
    /// do without.</summary>
    public static bool IsInSteps(CommandContext context)
        => GoesOneByOne(context) || (!context.IsInTransaction && context.Session.Unfinished is KeyPass);

    /// <summary>What the command has become by now; null when it has not begun, or begins anew.</summary>
    public static KeyPass? UnderWay(CommandContext context)
    {
        if (context.IsInTransaction || context.IsElsewhere || context.Session.Unfinished is not KeyPass pass)
        {
            return null;
        }

        if (!pass.IsOf(context))
        {
            context.Session.EndUnfinished();
            return null;
        }

        if (!pass._isOver && (pass.IsUnrepeatable || !pass.WasDisturbed(context)))
        {
            return pass;
        }

        pass.LetGo(); // It stays, as one of several attempts.
        return null;
    }

    /// <summary>Goes on with a command that has begun.</summary>
    /// <returns>False when it has not, or begins anew.</returns>
    public static bool TryGoOn(CommandContext context)
    {
        if (UnderWay(context) is not { } pass)
        {
            return false;
        }

        pass.GoOn(context);
        return true;
    }

    /// <summary>Whether a command over elements of a collection is to go on in steps.</summary>
    /// <param name="context">The command.</param>
    /// <param name="elements">How many of its elements.</param>
    /// <param name="count">Elements of the collection.</param>
    /// <param name="largeBytes">What it takes if it is large, bytes, and otherwise 0: then it is no work.</param>
    public static bool IsLong(CommandContext context, long elements, long count, long largeBytes)
        => largeBytes > 0 && IsLong(context, StepEffort.Of(elements, count, largeBytes));

    /// <inheritdoc cref="IsLong(CommandContext, long, long, long)"/>
    public static bool IsLong(CommandContext context, long effort)
        => effort > context.Server.EffortAtOnce && MayStop(context);

    /// <summary>Whether a command is executed for its client by another worker: the client's own begins.</summary>
    private protected static bool IsElsewhere(CommandContext context)
    {
        context.Postponed = context.IsElsewhere ? Postponement.GoesOn : Postponement.None;
        return context.IsElsewhere;
    }

    /// <summary>Begins, unless others come first who wait for one of the keys: the next of them is before the next
    /// command that goes on in steps.</summary>
    /// <param name="context">The command.</param>
    /// <param name="pass">What it becomes.</param>
    /// <param name="keys">The keys that it holds.</param>
    /// <returns>False when the command waits.</returns>
    private protected static bool TryBegin(CommandContext context, KeyPass pass, params ReadOnlySpan<Key> keys)
    {
        foreach (ref readonly var key in keys)
        {
            if (context.ShardOf(key).Waits.IsHeld(key, context.Client, out var held) && held.IsAwaited)
            {
                pass.Dispose();
                context.Session.LetPass(held);
                context.Postponed = Postponement.LetsPass;
                return false;
            }
        }

        context.Session.EndUnfinished();
        context.Session.Unfinished = pass;
        foreach (ref readonly var key in keys)
        {
            pass.Hold(context, key);
        }

        return true;
    }

    /// <summary>Begins with the first step, unless others come first (<see cref="TryBegin"/>).</summary>
    /// <inheritdoc cref="TryBegin"/>
    private protected static void Begin(CommandContext context, KeyPass pass, params ReadOnlySpan<Key> keys)
    {
        if (TryBegin(context, pass, keys))
        {
            pass.GoOn(context);
        }
    }

    /// <summary>Goes on with a command, or begins with it, if it has very many keys.</summary>
    /// <param name="context">The command.</param>
    /// <param name="state">What it is made with.</param>
    /// <param name="create">Makes what it becomes.</param>
    /// <returns>False when it is to be executed in one go.</returns>
    private protected static bool ExecutesOneByOne<TState>(
        CommandContext context, in TState state, Func<CommandContext, TState, KeyPass> create)
    {
        if (context.Count <= context.Row.ArgumentsAtOnce)
        {
            return false;
        }

        if (TryGoOn(context))
        {
            return true;
        }

        if (!GoesOneByOne(context))
        {
            return false;
        }

        BeginOneByOne(context, create(context, state));
        return true;
    }

    /// <summary>Begins with the first step, and holds no key yet.</summary>
    private protected static void BeginOneByOne(CommandContext context, KeyPass pass)
    {
        context.Session.EndUnfinished();
        context.Session.Unfinished = pass;
        pass.GoOn(context);
    }

    /// <summary>Whether it goes on even if what cannot wait has changed a key, since it has changed something itself.
    /// </summary>
    private protected virtual bool IsUnrepeatable => false;

    /// <summary>Whether what goes on in steps finds keys anywhere: it needs all leases.</summary>
    private protected virtual bool LooksEverywhere => false;

    /// <summary>Whether a command has begun that finds keys anywhere, and holds those that it names.</summary>
    public static bool IsUnderWayEverywhere(CommandContext context)
        => !context.IsInTransaction && !context.IsElsewhere
            && context.Session.Unfinished is KeyPass { LooksEverywhere: true, _isOver: false };

    /// <summary>Holds another key, unless others come first: those that were held by now are given back then, so that
    /// no two wait for each other, and the command begins anew when they have had their turn.</summary>
    /// <returns>False when others come first.</returns>
    private protected bool TryHold(CommandContext context, in Key key)
    {
        if (!KeyWait.MustLetPass(context, key))
        {
            return TryHoldToRead(context, key);
        }

        context.Session.EndUnfinished();
        context.Postponed = Postponement.LetsPass;
        return false;
    }

    /// <summary>The same of a key that the command does not name, and will not change.</summary>
    private protected bool TryHoldToRead(CommandContext context, in Key key)
    {
        if (!context.ShardOf(key).Waits.IsHeld(key, context.Client, out var held) || !held.IsAwaited)
        {
            Hold(context, key);
            return true;
        }

        context.Session.LetPass(held);
        context.Session.EndUnfinished();
        context.Postponed = Postponement.LetsPass;
        return false;
    }

    /// <summary>Whether the command may stop in its midst.</summary>
    private protected static bool MayStop(CommandContext context)
        => !context.IsInTransaction
            && (context.IsElsewhere || context.Session.Unfinished is not KeyPass { _attempt: MostAttempts } pass
                || !pass.IsOf(context));

    /// <summary>How much is done in a step.</summary>
    private protected static int EffortOfStep(CommandContext context) => context.Server.EffortOfStep;

    /// <summary>How much is done in a step over keys, which are looked up anew in each: where all must be looked at
    /// before, more.</summary>
    private protected int EffortOverKeys(CommandContext context)
    {
        var effort = EffortOfStep(context);
        return context.Cold == null
            ? (int)Math.Min((long)effort * LongestStep, effort + ((long)_count * EffortOfKey))
            : effort + _count;
    }

    /// <summary>Goes on; the leases are held.</summary>
    /// <returns>Whether it is done.</returns>
    private protected abstract bool TryStep(CommandContext context);

    /// <inheritdoc/>
    public virtual void Dispose()
    {
        LetGo();
        _reply?.Dispose();
        _reply = null;
    }

    /// <summary>Goes on with elements on their way to the reply, and answers when all were written.</summary>
    /// <param name="context">The command.</param>
    /// <param name="elements">The elements.</param>
    /// <param name="effort">How much may be done in this step.</param>
    /// <returns>Whether all were.</returns>
    private protected bool TryAnswer(CommandContext context, ElementReply elements, int effort)
    {
        while (effort > 0)
        {
            var before = Reply.Length;
            if (!elements.TryWrite(Reply))
            {
                elements.WriteHeader(Reply);
                context.Reply.TakeFrom(Reply);
                return true;
            }

            effort -= StepEffort.Of(Reply.Length - before);
        }

        return false;
    }

    /// <summary>The next step is a new beginning, and does all in one go.</summary>
    private protected void BeginAnewAtOnce()
    {
        _isOver = true;
        _attempt = MostAttempts;
        _reply?.Dispose(); // It is written again, and there is little memory.
        _reply = null;
    }

    /// <summary>Makes a step. What has come to its end is over when the command is answered.</summary>
    /// <returns>Whether it is done; else the command goes on in one of the next turns.</returns>
    private protected bool TryEnd(CommandContext context)
    {
        try
        {
            if (TryStep(context))
            {
                return true;
            }
        }
        catch
        {
            context.Session.EndUnfinished(); // There was no memory for it: where some is made it is begun anew.
            throw;
        }

        if (context.Postponed == Postponement.None)
        {
            context.Postponed = Postponement.GoesOn;
        }

        return false;
    }

    /// <summary>Makes a step, with which the command may be answered.</summary>
    private protected void GoOn(CommandContext context)
    {
        if (TryEnd(context))
        {
            context.Session.EndUnfinished();
        }
    }

    private ReplyWriter CreateReply()
    {
        var reply = _worker.CreateReply(_protocol);
        reply.LeaveHeadroom(HeadroomBytes);
        reply.IsRefusable = !_row.Has(CommandFlags.ReadOnly); // It precedes all changes.
        return reply;
    }

    private void Hold(CommandContext context, in Key key)
    {
        var shard = context.ShardOf(key);
        if (_count < HeldByName)
        {
            Enter(shard, new HeldKey(key, context.Client, _worker.Worker, _hold));
        }
        else if (_heldByHash[shard.Number] is not { } keys)
        {
            _heldByHash[shard.Number] = new HeldKeys(key, context.Client, _worker.Worker, _hold);
            Enter(shard, _heldByHash[shard.Number]!);
        }
        else if (!keys.Add(key))
        {
            return;
        }

        if (++_count % KeysPerAsking == 0)
        {
            const long Bytes = KeysPerAsking * HeldKeys.BytesPerKey;
            context.Server.Shards.Budget.AskForValue(Bytes, neededBytes: 0, _charge.Bytes);
            _charge.Set(_charge.Bytes + Bytes);
        }

        _heldOf[shard.Number]++;
        _exchanges += shard.Collections.Exchanges;
    }

    private void Enter(Shard shard, HeldKey held)
    {
        held.Enter(shard.Waits);
        _held.Add(held);
        _worker.HeldKeys++;
    }

    private void LetGo()
    {
        _isOver = true;
        foreach (var held in _held)
        {
            held.Leave();
        }

        _worker.HeldKeys -= _held.Count;
        _held.Clear();
        _charge.LeaveToCollector(_charge.Bytes);
    }

    /// <summary>Whether one of the keys was changed, or lies elsewhere.</summary>
    private bool WasDisturbed(CommandContext context)
    {
        var exchanges = 0L;
        foreach (var shard in context.Server.Shards.All)
        {
            exchanges += _heldOf[shard.Number] > 0 ? _heldOf[shard.Number] * shard.Collections.Exchanges : 0;
        }

        return _hold.WasDisturbed || exchanges != _exchanges;
    }

    private bool IsOf(CommandContext context) => _row.Is(context.Row) && _arguments == HashOf(context);

    private static int HashOf(CommandContext context)
    {
        var hash = default(HashCode);
        hash.Add(context.Count);
        for (var i = 1; i < Math.Min(context.Count, MostCompared); i++)
        {
            var argument = context.Argument(i);
            hash.AddBytes(argument[..Math.Min(argument.Length, ComparedBytes)]);
            hash.AddBytes(argument[^Math.Min(argument.Length, ComparedBytes)..]);
            hash.Add(argument.Length);
        }

        return hash.ToHashCode();
    }
}
