using System.Text;
using Strata.Server.Options;
using Strata.Server.Resp;
using Strata.Storage.Interests;

namespace Strata.Server.Commands.Model;

/// <summary>
/// What there is to know about a command: everything but the handler's code. Routing, arity errors, COMMAND and the
/// command list in the documentation all come from it.
/// </summary>
public sealed class CommandRow
{
    private readonly CommandRow _origin;
    private int _maxSingleKeyCount;
    private int _maxRunCount;

    /// <summary>A command with a handler.</summary>
    /// <param name="name">Lower case; of a subcommand, its own name alone.</param>
    /// <param name="arity">Number of arguments with the verb (and subcommand); negative for "at least".</param>
    /// <param name="flags">What the command is.</param>
    /// <param name="keys">Where its keys are.</param>
    /// <param name="handler">What carries it out.</param>
    public CommandRow(string name, int arity, CommandFlags flags, KeySpec keys, CommandHandler handler)
    {
        _origin = this;
        Name = name;
        Verb = Encoding.ASCII.GetBytes(name.ToUpperInvariant());
        Arity = arity;
        Flags = flags;
        Keys = keys;
        Handler = handler;
    }

    /// <summary>A container of subcommands.</summary>
    public CommandRow(string name, int arity, CommandFlags flags, params CommandRow[] subcommands)
        : this(name, arity, flags, static _ => { }, subcommands)
    {
        IsExecutable = false;
    }

    /// <summary>A container of subcommands that is also a command by itself, without arguments (COMMAND).</summary>
    public CommandRow(
        string name, int arity, CommandFlags flags, CommandHandler handler, params CommandRow[] subcommands)
        : this(name, arity, flags, KeySpec.None, handler)
    {
        Subcommands = new CommandTable(subcommands);
        foreach (var subcommand in subcommands)
        {
            subcommand.Container = this;
        }
    }

    public string Name { get; }

    /// <summary>The name as the journal has it; of a subcommand, that of its container stands before it.</summary>
    internal byte[] Verb { get; }

    public int Arity { get; }

    public CommandFlags Flags { get; }

    public KeySpec Keys { get; private set; }

    /// <summary>Of a command with two kinds of keys (COPY's source and destination), the second.</summary>
    public KeySpec SecondKeys { get; init; }

    /// <summary>Keys that its options may name, as they are told of: in a request <see cref="StoreKey"/> finds that
    /// which is changed, and <see cref="ListedKeys"/> those at its end.</summary>
    internal IReadOnlyList<OptionKeys> OptionKeys { get; init; } = [];

    /// <summary>Of a command whose shards do not follow from its keys' positions (the key of another database, a
    /// cursor), what names the further ones.</summary>
    internal ShardSelector? ExtraShards { get; init; }

    /// <summary>Of a command with keys that may stand anywhere among its options (SORT's STORE): finds the first of
    /// them in a request behind an argument, 0 when there is none. Such a key is overwritten.</summary>
    public Func<Request, int, int>? StoreKey { get; init; }

    /// <summary>Whether it tells of the server, by an answer that may be long, and changes nothing.</summary>
    public bool IsReport { get; init; }

    /// <summary>Of a command whose keys may be listed at the end of its arguments instead (MIGRATE's KEYS): finds the
    /// first of them in a request, 0 when none is.</summary>
    public Func<Request, int>? ListedKeys { get; init; }

    public CommandHandler Handler { get; private set; }

    /// <summary>Of a command that is executed while a script is slow (<see cref="CommandFlags.AllowBusy"/>), but has
    /// keys: what it does then, without a lease, and so without a look at them.</summary>
    internal CommandHandler? HandlerWhileBusy { get; init; }

    /// <summary>The command as it is executed while a script is slow, if that is another way; else null.</summary>
    internal CommandRow? WhileBusy { get; private set; }

    /// <summary>Of a command that not everybody may use (<see cref="CommandFlags.Protected"/>), who may.</summary>
    internal Func<ServerOptions, GuardedAccess>? Guard { get; init; }

    /// <summary>The subcommands, or null for an ordinary command.</summary>
    public CommandTable? Subcommands { get; }

    /// <summary>Whether there is something to execute: not so for a mere container.</summary>
    public bool IsExecutable { get; } = true;

    /// <summary>The command this is a subcommand of.</summary>
    public CommandRow? Container { get; private set; }

    /// <summary>Categories that do not follow from the flags.</summary>
    public AclCategories Categories { get; init; }

    /// <summary>All categories, in the way Redis derives them from the flags.</summary>
    public AclCategories AllCategories => Categories
        | (Has(CommandFlags.Write) ? AclCategories.Write : AclCategories.None)
        | (Has(CommandFlags.ReadOnly) && (Categories & AclCategories.Scripting) == 0
            ? AclCategories.Read
            : AclCategories.None)
        | (Has(CommandFlags.Admin) ? AclCategories.Admin | AclCategories.Dangerous : AclCategories.None)
        | (Has(CommandFlags.PubSub) ? AclCategories.PubSub : AclCategories.None)
        | (Has(CommandFlags.Blocking) ? AclCategories.Blocking : AclCategories.None)
        | (Has(CommandFlags.Fast) ? AclCategories.Fast : AclCategories.Slow);

    /// <summary>Redis's hints for proxies and clients ("nondeterministic_output").</summary>
    public IReadOnlyList<string> Tips { get; init; } = [];

    /// <summary>Of a command with <see cref="KeyAccess.VariableFlags"/>: what a request does with its key.</summary>
    public Func<Request, KeyAccess>? AccessOf { get; init; }

    /// <summary>Which arguments are channels that a client must be allowed to name.</summary>
    public ChannelUse Channels { get; init; }

    public required CommandGroup Group { get; init; }

    /// <summary>Of a command that has the server hold memory for each of its names, if only while it is executed: how
    /// much, beside the name, bytes, about.</summary>
    internal int BytesPerName
    {
        get => field + (HoldsOneByOne ? HeldKeys.BytesPerKey : 0);
        init;
    }

    /// <summary>Whether the handler looks at many keys one after another, in steps, so that they are not listed before.
    /// </summary>
    internal bool HoldsOneByOne { get; init; }

    /// <summary>Whether the handler changes many keys one after another, in steps, each by itself, and holds none.
    /// </summary>
    internal bool ChangesOneByOne { get; init; }

    /// <summary>With how many arguments it does so not yet, but is executed in one go.</summary>
    internal int ArgumentsAtOnce { get; init; } = ServerLimits.NamesAtOnce;

    /// <summary>Whether the handler goes to the elements of its keys' collections.</summary>
    internal bool LooksIntoCollections
        => (Categories & (AclCategories.Hash | AclCategories.List | AclCategories.Set | AclCategories.SortedSet
            | AclCategories.Geo | AclCategories.Stream)) != 0;

    /// <summary>The Redis version that has it first.</summary>
    public required string Since { get; init; }

    /// <summary>One sentence: what the command does.</summary>
    public required string Summary { get; init; }

    /// <summary>Whether no version of Redis has it.</summary>
    public bool IsOwn
    {
        get => field || Container is { IsOwn: true };
        init;
    }

    /// <summary>One sentence: how reply or effect differ from those of Redis 7.2; null where they do not.</summary>
    public string? Differs { get; init; }

    /// <summary>Of a container, what its HELP says of the subcommands, where this is Redis's text; null where it is
    /// made from their rows.</summary>
    public IReadOnlyList<string>? HelpLines { get; init; }

    /// <summary>Time complexity.</summary>
    public required string Complexity { get; init; }

    /// <summary>Of a command that may carry passwords: whether the argument at an index is one, or may be, and must
    /// stay out of SLOWLOG and MONITOR.</summary>
    public Func<Request, int, bool>? IsSecret { get; init; }

    /// <summary>Of a command that only reads: whether it may keep in its key's value what it has found out, which
    /// changes the value's bytes.</summary>
    public bool KeepsInValue { get; init; }

    /// <summary>Whether the command may change a key.</summary>
    public bool MayChange => Has(CommandFlags.Write) || KeepsInValue;

    /// <summary>The Redis version that calls the command outdated; null while it is not.</summary>
    public string? DeprecatedSince { get; init; }

    /// <summary>Of an outdated command, what to use instead.</summary>
    public string? ReplacedBy { get; init; }

    /// <summary>Whether a client that subscribes to something and speaks RESP2 may use the command.</summary>
    public bool IsForSubscribers { get; init; }

    /// <summary>Whether the command is for the server's developers rather than for applications.</summary>
    public bool IsSystemCommand { get; init; }

    /// <summary>The arguments after the verb in the notation of the Redis command reference.</summary>
    public string Syntax { get; init; } = string.Empty;

    /// <summary>Position among all rows and subcommand rows of the server: where its statistics are.</summary>
    public int Index { get; private set; }

    /// <summary>"get", or "config|get" of a subcommand.</summary>
    public string FullName => Container == null ? Name : $"{Container.Name}|{Name}";

    /// <summary>Whether the command takes leases of shards.</summary>
    public bool NeedsLeases => Keys.AreKeys || ExtraShards != null || Has(CommandFlags.AllShards);

    /// <summary>Whether the command with this many arguments has one key, its first argument, and can be executed under
    /// that key's shard alone.</summary>
    public bool IsSingleKey(int count) => count <= _maxSingleKeyCount;

    /// <summary>Whether the command with this many arguments may be executed in a run with its neighbours.</summary>
    public bool JoinsRuns(int count) => count <= _maxRunCount;

    /// <summary>What a request does with the first of its keys.</summary>
    internal KeyAccess AccessIn(in Request request) => AccessOf == null ? Keys.Access : AccessOf(request);

    /// <summary>Where the keys are that <see cref="Keys"/> stands for in a request.</summary>
    internal KeySpec KeysIn(in Request request)
        => ListedKeys?.Invoke(request) is > 0 and var first ? new KeySpec(first, -1, 1, Keys.Access) : Keys;

    internal void Register(int index)
    {
        Index = index;
        var staysInShard = Keys.AreKeys && SecondKeys.IsNone && ExtraShards == null && Subcommands == null
            && (Flags & (CommandFlags.AllShards | CommandFlags.MovableKeys | CommandFlags.InSteps)) == 0
            && (Flags & (CommandFlags.Blocking | CommandFlags.Unqueued)) == 0; // They change their session.
        _maxSingleKeyCount = staysInShard ? Keys.MaxCountOfOne : 0;
        _maxRunCount = Has(CommandFlags.Heavy) ? 0 : _maxSingleKeyCount;
        if (HandlerWhileBusy != null)
        {
            WhileBusy = With(HandlerWhileBusy);
            WhileBusy.Keys = KeySpec.None;
        }
    }

    /// <summary>The same command, carried out by another handler: so tests come between the two looks at a shard's
    /// version that a read without a lease lies between, at no cost for others.</summary>
    internal CommandRow With(CommandHandler handler)
    {
        var row = (CommandRow)MemberwiseClone();
        row.Handler = handler;
        return row;
    }

    /// <summary>Whether it is the same command, by whichever handler it is carried out.</summary>
    public bool Is(CommandRow other) => _origin == other._origin;

    /// <summary>Whether <paramref name="count"/> arguments are right.</summary>
    public bool AcceptsCount(int count) => Arity >= 0 ? count == Arity : count >= -Arity;

    public bool Has(CommandFlags flag) => (Flags & flag) != 0;
}
