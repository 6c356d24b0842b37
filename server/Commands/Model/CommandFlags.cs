namespace Strata.Server.Commands.Model;

/// <summary>What a command is, in Redis's words (COMMAND INFO gives those), and those of ours at the end.</summary>
[Flags]
public enum CommandFlags
{
    None = 0,
    Write = 1 << 0,
    ReadOnly = 1 << 1,
    DenyOom = 1 << 2,
    Admin = 1 << 3,
    PubSub = 1 << 4,
    NoScript = 1 << 5,
    Blocking = 1 << 6,
    Loading = 1 << 7,
    Stale = 1 << 8,
    SkipMonitor = 1 << 9,
    SkipSlowlog = 1 << 10,
    Fast = 1 << 11,
    NoAuth = 1 << 12,
    MayReplicate = 1 << 13,
    NoMulti = 1 << 14,
    MovableKeys = 1 << 15,
    AllowBusy = 1 << 16,
    NoAsyncLoading = 1 << 17,
    NoMandatoryKeys = 1 << 18,
    Protected = 1 << 19,

    /// <summary>Ours: executes a script, for whose commands room is made where that can be.</summary>
    ExecutesScript = 1 << 20,

    /// <summary>Ours: does the same for each of its names (channels, keys to watch), and nobody can tell whether for
    /// all at one moment: many are taken in parts, between which others have their turn.</summary>
    Divisible = 1 << 21,

    /// <summary>Ours: looks at no values, but at what can be told of keys without them.</summary>
    KeyOnly = 1 << 22,

    /// <summary>Ours: has the server hold memory for the client, as what blocks does: where that is much, it is refused
    /// while memory is short.</summary>
    HoldsMemory = 1 << 23,

    /// <summary>Ours: the handler only reads and copies, so it may run without the lease and be repeated.</summary>
    LeaseFree = 1 << 24,

    /// <summary>Ours: the handler works on every shard and needs all leases.</summary>
    AllShards = 1 << 25,

    /// <summary>Ours: its cost depends on more than the bytes it moves, so it does not join a run and is timed alone.
    /// </summary>
    Heavy = 1 << 26,

    /// <summary>Ours: executed at once also between MULTI and EXEC.</summary>
    Unqueued = 1 << 27,

    /// <summary>Ours: a command that changes something and finds, as it runs, keys that its arguments do not name
    /// (SORT's patterns). All its look-ups come before its changes, which it makes only if <see
    /// cref="CommandContext.HasSeenAll"/>.</summary>
    LooksFirst = 1 << 28,

    /// <summary>Ours: a transaction that is being queued ends with it.</summary>
    EndsTransaction = 1 << 29,

    /// <summary>Ours: executes the commands that are queued, and needs what they need.</summary>
    ExecutesQueue = 1 << 30,

    /// <summary>Ours: goes on in steps where it takes long, between which others have their turn. It is executed by
    /// itself, on its client's worker.</summary>
    InSteps = 1 << 31,
}
