using Strata.Storage.Index;
using Strata.Storage.Interests;
using Strata.Storage.Log;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Clients.Waiting;

/// <summary>
/// A command that waits until one of its keys, if it has any, has a value of a type. It keeps its place among those who
/// wait for the same keys until it has been answered. Woken, from any thread, it is executed again on its session's
/// worker.
/// </summary>
internal sealed class BlockedCommand : TurnFollower, IKeyWaiter, IHasDeadline
{
    private static long s_arrivals;

    private readonly WaitingClient _session;
    private long _wokenAs;
    private readonly KeyInterestSet<AwaitedKey> _keys = new();

    /// <summary>A command that waits for no keys yet.</summary>
    /// <param name="session">Whose it is.</param>
    /// <param name="type">What it waits for.</param>
    /// <param name="deadlineMs">When it ends, milliseconds since 1970; <see cref="long.MaxValue"/> for never.</param>
    public BlockedCommand(WaitingClient session, RecordType type, long deadlineMs)
        : base(session.Worker.Worker)
    {
        _session = session;
        Type = type;
        DeadlineMs = deadlineMs;
    }

    /// <summary>A command that waits for no key, but for its time.</summary>
    public BlockedCommand(WaitingClient session, long deadlineMs)
        : this(session, default, deadlineMs)
    {
    }

    /// <inheritdoc/>
    public RecordType Type { get; }

    /// <inheritdoc/>
    public ulong Group => Stream.Group;

    /// <inheritdoc/>
    public long Arrival { get; } = Interlocked.Increment(ref s_arrivals);

    /// <inheritdoc/>
    public long WokenAs => Volatile.Read(ref _wokenAs);

    /// <summary>The key for which it was woken as such; null when it has had its turn. Under the key's lease.</summary>
    public AwaitedKey? WokenAt { get; private set; }

    /// <summary>Of one that waits for streams, what it keeps.</summary>
    public StreamWait Stream { get; init; }

    /// <inheritdoc/>
    public long DeadlineMs { get; }

    /// <summary>Of a command that waits for the disk, the batch of the journal that it is to have.</summary>
    public long AwaitedSequence { get; init; }

    /// <summary>What ends it, when it is executed next.</summary>
    public WaitEnd End { get; private set; }

    /// <inheritdoc/>
    /// <remarks>It keeps a place of its own, and follows who has the place before it.</remarks>
    public override bool FollowsOn => false;

    /// <inheritdoc/>
    public int HeapIndex { get; set; } = -1;

    /// <summary>Waits for a key, whose shard's lease is held, too.</summary>
    public void Add(Shard shard, in Key key)
    {
        if (_keys.Contains(key))
        {
            return;
        }

        var added = new AwaitedKey(key, this, _session.Worker.Worker);
        added.Enter(shard.Waits);
        _keys.Add(added);
    }

    /// <summary>Is executed again when <paramref name="first"/> has had their turn, who came before. The lease of the
    /// key's shard is held.</summary>
    public void Follow(AwaitedKey first)
    {
        if (!IsFollowing)
        {
            first.Follow(this);
        }

        first.Wake();
    }

    /// <summary>Its keys. What is noted of them is under the leases of their shards.</summary>
    public KeyInterestSet<AwaitedKey> Keys => _keys;

    /// <summary>It found nothing and waits again: who let it pass may try. The leases of its keys' shards are held.
    /// </summary>
    public void EndTurn()
    {
        Volatile.Write(ref _wokenAs, 0);
        WokenAt = null;
        foreach (var awaited in _keys)
        {
            awaited.EndTurn();
        }
    }

    /// <summary>What it does has woken another one: who follows it follows that one, too. The leases of its keys'
    /// shards are held.</summary>
    public void LetFollow(AwaitedKey woken)
    {
        foreach (var awaited in _keys)
        {
            awaited.LetFollow(woken);
        }
    }

    /// <inheritdoc/>
    public void Wake() => _session.Worker.Worker.PostOnce(this);

    /// <inheritdoc/>
    public void WakeAs(long number, AwaitedKey at, AwaitedKey? before)
    {
        Volatile.Write(ref _wokenAs, number);
        WokenAt = at;
        if (before == null)
        {
            Wake();
        }
        else if (!IsFollowing)
        {
            before.FollowAll(this);
        }
    }

    /// <summary>Ends the wait without what was waited for. On the session's worker.</summary>
    public void EndBy(WaitEnd end)
    {
        End = end;
        Wake();
    }

    /// <inheritdoc/>
    public override void Run(Worker worker) => _session.OnWake(this);

    /// <summary>Waits for no keys any more, when the worker has come to it: until then its places count as those of one
    /// who has not had their turn yet. On the session's worker.</summary>
    public void Leave() => _session.Worker.GiveUpInSteps(_keys.Count, i => _keys[i].Leave());
}
