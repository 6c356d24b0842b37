using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Commands.Streams;

/// <summary>
/// A command that does much with what is pending in groups, or answers much that becomes so, in steps: it works on
/// copies of the groups, which take their places in the last step, so that nobody sees half of it. Where there is no
/// memory for that it is done in place and in one go.
/// </summary>
/// <typeparam name="TWork">What is done with each group.</typeparam>
internal sealed class GroupPass<TWork> : KeyPass
    where TWork : struct, IGroupWork
{
    // Groups are copied if they have at most so many times the entries that are worked on, about.
    private const int MostParts = 32;

    private readonly Worker _owner;
    private readonly GroupPart<TWork>[] _parts;
    private readonly int _group;
    private readonly bool _isMap;
    private readonly long _nowMs;
    private readonly GroupEffects? _effects;
    private int _next;

    private GroupPass(CommandContext context, GroupPart<TWork>[] parts, int group, bool isMap)
        : base(context)
    {
        _owner = context.Session.Worker.Worker;
        _parts = parts;
        _group = group;
        _isMap = isMap;
        _nowMs = context.ClockMs;
        _effects = context.Effects == null ? null : new GroupEffects(context);
    }

    /// <summary>The most effort in one go.</summary>
    /// <param name="context">The command.</param>
    /// <param name="copied">What a copy of the groups takes (<see cref="GroupCopy.EffortOf"/>); 0 where there is none.
    /// </param>
    public static long MostAtOnce(CommandContext context, long copied)
        => context.Server.EffortAtOnce + (copied / MostParts);

    /// <summary>Whether work on groups is to go on in steps.</summary>
    /// <param name="context">The command.</param>
    /// <param name="effort">What it takes.</param>
    /// <param name="copied">What a copy of the groups takes.</param>
    public static bool IsLong(CommandContext context, long effort, long copied)
        => effort > MostAtOnce(context, copied) && MayStop(context);

    /// <summary>Begins to work on the group of the first key.</summary>
    /// <param name="context">The command.</param>
    /// <param name="group">Index of the group's name.</param>
    /// <param name="work">What is done.</param>
    public static void Begin(CommandContext context, int group, in TWork work)
    {
        var key = context.Row.Keys.First;
        Begin(context, [new GroupPart<TWork>(key, work)], [context.KeyAt(key)], group, isMap: false);
    }

    /// <summary>Begins to work on groups of several keys.</summary>
    /// <param name="context">The command.</param>
    /// <param name="parts">What is done.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="group">Index of the groups' name.</param>
    /// <param name="isMap">Whether the reply is a map of what each part answers.</param>
    public static void Begin(
        CommandContext context, GroupPart<TWork>[] parts, ReadOnlySpan<Key> keys, int group, bool isMap)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        Begin(context, new GroupPass<TWork>(context, parts, group, isMap), keys);
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        _effects?.Dispose();
        foreach (var part in _parts)
        {
            part.Work.Dispose();
            if (part.Shard is { Lease.IsShared: true } shard)
            {
                shard.Lease.Queue(new Abandonment(part.Copy!, _owner));
            }
            else
            {
                part.Copy?.Abandon(); // Whoever has taken the lease is at work on this thread.
            }

            part.Forget();
        }
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        try
        {
            if (!TryWork(context))
            {
                return false;
            }
        }
        catch (MemoryExhaustedException exception) when (exception is not ReplyRefusedException) // Of a copy.
        {
            foreach (var part in _parts)
            {
                part.Copy?.Abandon();
                part.Forget();
            }

            BeginAnewAtOnce();
            return false;
        }

        if (context.Effects != null && _effects == null)
        {
            BeginAnewAtOnce(); // The journal was turned on meanwhile.
            return false;
        }

        End(context);
        return true;
    }

    /// <summary>Goes on with the work, but for its end, which has a step of its own.</summary>
    private bool TryWork(CommandContext context)
    {
        long effort = EffortOfStep(context);
        for (; _next < _parts.Length; _next++)
        {
            var isDone = TryWork(context, _parts[_next], ref effort);
            _effects?.EndClaims();
            if (!isDone)
            {
                return false;
            }
        }

        return effort > 0;
    }

    private bool TryWork(CommandContext context, GroupPart<TWork> part, ref long effort)
    {
        var key = context.KeyAt(part.Key);
        if (!TryFind(context, key, out var record, out var group))
        {
            return false; // It is read, or has gone, and the command begins anew.
        }

        if (part.Work.ChangesPending && part.Copy == null)
        {
            StreamConsumer leftOut = default;
            _ = part.Work.LeftOut > 0 && group.TryFindConsumer(context.Argument(part.Work.LeftOut), out leftOut);
            part.Begin(context.ShardOf(key), group, leftOut);
        }

        if (part.Copy is { } copy && !part.IsCopied)
        {
            part.IsCopied = copy.TryCopy(ref effort);
            if (!part.IsCopied)
            {
                return false;
            }
        }

        var stage = StageOf(context, part, key, new StreamView(record), group, part.Copy?.Editor ?? default);
        stage.Effort = effort;
        var isDone = part.Work.TryGoOn(ref stage);
        effort = stage.Effort;
        return isDone;
    }

    /// <summary>Puts the copies in the groups' places, and answers.</summary>
    private void End(CommandContext context)
    {
        Reply.IsRefusable = false; // From here on it changes something.
        var served = 0;
        foreach (var part in _parts)
        {
            var key = context.KeyAt(part.Key);
            var isThere = TryFind(context, key, out var record, out var group);
            Invariant.Check(isThere, "what is held is there in the last step");
            var stream = StreamAccess.Open(context, key, record);
            if (part.Copy is { } copy)
            {
                stream.Exchange(copy);
                part.Forget();
                group = copy.Copy;
            }

            var stage = StageOf(context, part, key, stream.Read(), group, stream.Edit(group));
            GroupWork.End(ref stage, ref stream, ref part.Work);
            served += part.Work.IsServed ? 1 : 0;
        }

        if (_isMap)
        {
            StreamReply.HeadOfMap(Reply, 0, served);
        }

        if (context.Effects is { } effects)
        {
            _effects!.EndClaims();
            _effects.TellTo(effects);
        }

        context.Reply.TakeFrom(Reply);
    }

    private bool TryFind(CommandContext context, in Key key, out Record record, out StreamGroup group)
    {
        group = default;
        return context.TryPeek(key, out record) && context.HasSeenAll
            && new StreamView(record).TryFindGroup(context.Argument(_group), out group);
    }

    private GroupStage StageOf(
        CommandContext context,
        GroupPart<TWork> part,
        scoped in Key key,
        scoped in StreamView stream,
        StreamGroup source,
        scoped in GroupEditor group)
        => new()
        {
            Context = context,
            Key = key,
            Stream = stream,
            Source = source,
            Group = group,
            Reply = Reply,
            Effects = _effects,
            Copy = part.Copy,
            NowMs = _nowMs,
        };

    private sealed class Abandonment(GroupCopy copy, Worker owner) : ShardWork
    {
        /// <inheritdoc/>
        public override Worker Owner => owner;

        /// <inheritdoc/>
        public override void Execute() => copy.Abandon();

        /// <inheritdoc/>
        public override void Run(Worker worker)
        {
            // Nothing is left that lies in no shard.
        }
    }
}
