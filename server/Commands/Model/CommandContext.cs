using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server.Commands.Model;

/// <summary>
/// All a handler needs: the arguments, where the reply goes, and the shards it may use: the one of <see cref="Key"/>
/// for a single-key command, those of all its keys otherwise. The leases are taken before the handler runs, except
/// for lease-free commands (<see cref="CommandFlags.LeaseFree"/>): what they write to the reply is taken back and the
/// handler called again when the shard changed meanwhile.
/// </summary>
public sealed unsafe class CommandContext
{
    private readonly IKeyMissListener _missListener;

    internal CommandContext(ServerContext server, ReplyWriter reply, IKeyMissListener missListener)
    {
        Server = server;
        Reply = reply;
        Random = server.Platform.CreateRandom();
        _missListener = missListener;
    }

    /// <summary>Data and configuration.</summary>
    public ServerContext Server { get; }

    /// <summary>What a command draws.</summary>
    public Random Random { get; }

    /// <summary>The clock itself, for what <see cref="NowMs"/> is too coarse for.</summary>
    public TimeProvider Clock => Server.Platform.Clock;

    public ReplyWriter Reply { get; internal set; }

    /// <summary>The input of the worker that the command has come by; null where it was copied.</summary>
    internal InputWindow? Input { get; init; }

    /// <summary>Where the command lies if it has waited; null, or without bytes, where it cannot have or did not.
    /// </summary>
    internal TakenInput? Taken { get; set; }

    /// <summary>The client that sent the command.</summary>
    public CommandClient Client { get; internal set; } = null!;

    /// <summary>The command's row.</summary>
    public CommandRow Row { get; internal set; } = null!;

    /// <summary>Whether the command changes nothing: for want of memory it may be refused in the midst of its reply.
    /// </summary>
    public bool ChangesNothing
        => Row.Has(CommandFlags.ReadOnly) || Row.IsReport || Row.StoreKey?.Invoke(Request, 0) == 0;

    /// <summary>The arguments, the verb first.</summary>
    public Request Request { get; internal set; }

    /// <summary>The first key, hashed.</summary>
    public Key Key { get; internal set; }

    /// <summary>The shard of <see cref="Key"/>.</summary>
    public Shard Shard { get; internal set; } = null!;

    /// <summary>The physical number of the session's database.</summary>
    public byte Database => Server.Databases.PhysicalOf(Client.Database);

    /// <summary>The version of the databases' mapping by which <see cref="Key"/> was hashed.</summary>
    internal long DatabaseVersion { get; set; }

    /// <summary>Wall clock, milliseconds since 1970; the same for all of one turn.</summary>
    public long NowMs { get; internal set; }

    /// <summary>Who is told what the command does, in place of the command as it was sent, where that is not to be
    /// repeated as it is; null while nobody wants to know.</summary>
    internal ICommandEffects? Effects { get; set; }

    /// <summary>Whether the leases are held: a lease-free command may run without.</summary>
    public bool IsLeased { get; internal set; }

    /// <summary>What has the command's leases reserved for it, once it has found one taken too often.</summary>
    internal LeaseClaim? Claim { get; set; }

    /// <summary>What makes memory for the command if it is broken off; null where nothing has asked yet.</summary>
    internal ICommandRoom? CommandRoom { get; set; }

    /// <summary>Of a handler without leases, the version of the only shard it reads, as it began.</summary>
    internal long ReadVersion { get; set; }

    /// <summary>Of one that reads several shards, their versions by their numbers; else null.</summary>
    internal long[]? ReadVersions { get; set; }

    /// <summary>Set by a look-up without a lease that met something to be changed (an expired key): the handler is
    /// called again with the lease.</summary>
    internal bool NeedsLease { get; set; }

    /// <summary>The cold records that were read for the command; null where none can be.</summary>
    internal ColdReadSet? Cold { get; set; }

    /// <summary>What <see cref="ColdReadSet.Misses"/> of <see cref="Cold"/> was before the handler was called.
    /// </summary>
    internal long MissesBefore { get; set; }

    /// <summary>Whether all that was looked up so far was at hand. Otherwise the reply is thrown away, and the handler
    /// called again, or an error answered.</summary>
    public bool HasSeenAll
        => Cold == null || (Cold.Misses == MissesBefore && Cold.Failure == ColdReadFailure.None);

    /// <summary>Forgets what the handler before this one has met.</summary>
    internal void BeginLookups()
    {
        if (Cold is { } cold)
        {
            cold.ForgetFailure();
            MissesBefore = cold.Misses;
        }
    }

    /// <summary>Whether a part of the command was executed before, and others have had their turn since.</summary>
    internal bool IsContinued { get; set; }

    /// <summary>Set by a handler that has done a part of what it is to do: it is called again in another turn.
    /// </summary>
    internal bool HasMore { get; set; }

    /// <summary>Set by a handler that has not answered, and is to be called again. Not within transactions and scripts.
    /// </summary>
    internal Postponement Postponed { get; set; }

    /// <summary>The worker that keeps what it has read readable until it has sent it, and sends it next; else
    /// <see cref="Quiescence.Nobody"/>.</summary>
    internal int Borrower { get; set; } = Quiescence.Nobody;

    /// <summary>Reads that found their key, for INFO.</summary>
    internal long Hits { get; set; }

    /// <summary>Reads that did not.</summary>
    internal long Misses { get; set; }

    /// <summary>Whether the command is executed by the holder of a lease, which may not be on its session's thread.
    /// </summary>
    internal bool IsElsewhere { get; init; }

    /// <summary>Whether EXEC executes the command, with others before and behind it: it can wait for nothing.</summary>
    public bool IsInTransaction => Client.IsInTransaction;

    /// <summary>Number of arguments, the verb included.</summary>
    public int Count => Request.Count;

    /// <summary>The argument at <paramref name="index"/>.</summary>
    public ReadOnlySpan<byte> Argument(int index) => Request[index];

    /// <summary>Whether an argument is a word, whatever its case. <paramref name="word"/> is in lower case.</summary>
    public bool IsWord(int index, ReadOnlySpan<byte> word) => NumberParser.IsWord(Request[index], word);

    /// <summary>The argument at <paramref name="index"/> as a key of the session's database.</summary>
    public Key KeyAt(int index)
        => index == 1 && Row.Keys.First == 1 ? Key : KeyAt(index, Client.Database);

    /// <summary>The argument at <paramref name="index"/> as a key of a database, by the clients' number.</summary>
    public Key KeyAt(int index, int database)
        => new(Request.Pointer(index), Request.Length(index), Server.Databases.PhysicalOf(database));

    /// <summary>The arguments from <paramref name="first"/> on, every <paramref name="step"/>, as keys of the session's
    /// database.</summary>
    public KeySequence KeysFrom(int first, int step = 1) => new(this, first, step);

    /// <summary>The shard of a key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Shard ShardOf(in Key key) => Server.Shards.Of(key.Hash);

    /// <summary>Looks up a key to read it: counts a hit or a miss, and marks the key as used.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(in Key key, out Record record)
    {
        if (!TryPeek(key, out record))
        {
            CountMiss(key);
            return false;
        }

        Hits++;
        if (!Client.NoTouch)
        {
            Touch(key, record);
        }

        return true;
    }

    /// <summary>Marks a key that was looked up as used, whatever CLIENT NO-TOUCH says.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Touch(in Key key, in Record record)
    {
        var shard = ShardOf(key);
        if (IsLeased || shard.Lease.IsUnchanged(ReadVersions == null ? ReadVersion : ReadVersions[shard.Number]))
        {
            shard.Touch(key, record); // Else it may be part of another value by now, and is read again anyway.
        }
    }

    /// <summary>Looks up a key to tell something about it: counts a hit or a miss, but does not mark the key as used.
    /// </summary>
    public bool TryInspect(in Key key, out Record record)
    {
        if (!TryPeek(key, out record))
        {
            CountMiss(key);
            return false;
        }

        Hits++;
        return true;
    }

    /// <summary>Looks up a key to tell how it is stored: as TryInspect, but a miss is no event.</summary>
    public bool TryExamine(in Key key, out Record record)
    {
        var found = TryPeek(key, out record);
        Hits += found ? 1 : 0;
        Misses += found ? 0 : 1;
        return found;
    }

    /// <summary>Looks up a key to change it: no hit or miss is counted. The lease must be held.</summary>
    public bool TryWrite(in Key key, out Record record)
    {
        var shard = ShardOf(key);
        if (!shard.TryGet(key, NowMs, Cold, out record))
        {
            return false;
        }

        if (!Client.NoTouch)
        {
            shard.Touch(key, record);
        }

        return true;
    }

    /// <summary>Looks up a key without a trace.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPeek(in Key key, out Record record)
    {
        var shard = ShardOf(key);
        var found = shard.Find(key, NowMs, Cold, out record);
        if (found == FindResult.Expired)
        {
            OnExpired(shard, key, record);
            record = default;
        }

        return found == FindResult.Found;
    }

    /// <summary>Looks up a string to read it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Lookup ReadString(in Key key, out Record record)
        => !TryRead(key, out record) ? Lookup.Missing
            : record.Type == RecordType.String ? Lookup.Found
            : Lookup.WrongType;

    /// <summary>Answers with a long string of the command's key from where it lies, without a copy, if nothing is to
    /// come between here and the kernel's.</summary>
    /// <returns>False when it has to be copied: nothing was answered.</returns>
    internal bool TryLend(in Record record)
        => Borrower != Quiescence.Nobody
            && record.ValueLength is >= ServerLimits.LeastLentBytes and <= ServerLimits.MaxSentBytes
            && Server.Shards.Tier == null && Client.Connection.Output.Gathers && !Server.Durability.IsAwaited
            && Reply.TryLend(Shard.Log, record, Borrower);

    /// <summary>Looks up a string to change it.</summary>
    public Lookup WriteString(in Key key, out Record record)
        => !TryWrite(key, out record) ? Lookup.Missing
            : record.Type == RecordType.String ? Lookup.Found
            : Lookup.WrongType;

    /// <summary>Looks up a collection of a type to read it. It is not lease-free: a frozen one is thawed.</summary>
    public Lookup ReadCollection(in Key key, RecordType type, out Record record)
        => !TryRead(key, out record) ? Lookup.Missing : OpenCollection(key, type, ref record);

    /// <summary>Looks up a collection of a type to change it.</summary>
    public Lookup WriteCollection(in Key key, RecordType type, out Record record)
        => !TryWrite(key, out record) ? Lookup.Missing : OpenCollection(key, type, ref record);

    /// <summary>A change that the command makes, to be told of.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Change Change(KeyEvent what) => new(what, Client);

    /// <summary>Makes the key a string with this value, whatever it was before.</summary>
    /// <param name="key">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="value">The value; it must not lie in <paramref name="existing"/>.</param>
    /// <param name="expiryMs">Milliseconds since 1970, or -1.</param>
    /// <param name="what">What is told of it.</param>
    /// <returns>The string's record.</returns>
    public Record PutString(
        in Key key, in Record existing, ReadOnlySpan<byte> value, long expiryMs, KeyEvent what)
    {
        var spec = new RecordSpec(key, RecordType.String, expiryMs);
        if (IsMovable(value))
        {
            spec = spec with { MovedFrom = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(value)) };
        }

        return ShardOf(key).Put(key, existing, spec, value, Change(what));
    }

    /// <summary>Copies an argument to where it stays. A large one is given back as it is copied: so it takes memory
    /// once, and nobody is to look at it any more.</summary>
    public void TakeArgument(int index, Span<byte> target)
    {
        var value = Argument(index);
        if (!IsMovable(value))
        {
            value.CopyTo(target);
            return;
        }

        fixed (byte* source = value, start = target[..value.Length])
        {
            PageMove.CopyAndRelease(source, start, value.Length);
        }
    }

    /// <summary>Takes another command of the same client.</summary>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    internal void Load(CommandRow row, in Request request)
    {
        Row = row;
        Request = request;
    }

    /// <summary>Takes another command of one key of the same client.</summary>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="key">The first of them, hashed.</param>
    /// <param name="databaseVersion">The version of the databases' mapping by which it was hashed.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Load(CommandRow row, in Request request, in Key key, long databaseVersion)
    {
        Row = row;
        DatabaseVersion = databaseVersion;
        Request = request;
        Key = key;
        Shard = ShardOf(Key);
    }

    /// <summary>Hashes the first argument as <see cref="Key"/>.</summary>
    internal void SetFirstKey() => SetFirstKey(KeyAt(1, Client.Database));

    /// <summary>Takes the first argument, hashed, as <see cref="Key"/>.</summary>
    internal void SetFirstKey(in Key key)
    {
        DatabaseVersion = Server.Databases.Version;
        Key = key;
        Shard = ShardOf(key);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountMiss(in Key key)
    {
        Misses++;
        if (_missListener.WantsMisses)
        {
            NotifyMiss(key);
        }
    }

    /// <summary>Tells of a miss, if it is one: not of a key that is just not at hand.</summary>
    private void NotifyMiss(in Key key)
    {
        if (!IsLeased)
        {
            NeedsLease = true; // What is read without the lease may not stand.
            return;
        }

        if (ShardOf(key).Find(key, NowMs, Cold, out _) is FindResult.Missing or FindResult.Expired)
        {
            _missListener.OnMiss(key);
        }
    }

    /// <summary>A key that was looked for has expired: it is deleted, which takes the lease. While such keys stay
    /// (CLIENT PAUSE), only what may put another in its place deletes it.</summary>
    private void OnExpired(Shard shard, in Key key, in Record record)
    {
        if (!Row.Has(CommandFlags.Write) && shard.ExpiryHold.Holds(NowMs))
        {
            return;
        }

        if (IsLeased)
        {
            shard.Expire(key, record);
        }
        else
        {
            NeedsLease = true;
        }
    }

    /// <summary>Whether bytes of the command lie in pages that hold nothing else, and are many.</summary>
    private bool IsMovable(ReadOnlySpan<byte> value)
        => value.Length >= PageMove.LeastBytes
            && Effects == null // Which are told of the command when it has been executed, value and all.
            && (IsIn(Input?.Movable, value) || IsIn(Taken?.Movable, value));

    private static bool IsIn(MappedMemory? memory, ReadOnlySpan<byte> value)
    {
        fixed (byte* start = value)
        {
            return memory != null && memory.Contains(start, value.Length);
        }
    }

    private Lookup OpenCollection(in Key key, RecordType type, ref Record record)
    {
        if (record.Type != type)
        {
            return Lookup.WrongType;
        }

        if (record.IsFrozen)
        {
            record = ShardOf(key).Collections.Thaw(key, record);
        }

        return Lookup.Found;
    }

    /// <summary>Reads an integer argument; answers Redis's error when it is none.</summary>
    public bool TryInteger(int index, out long value)
    {
        if (NumberParser.TryParseInt64(Request[index], out value))
        {
            return true;
        }

        Reply.Error(Errors.NotInteger);
        return false;
    }
}
