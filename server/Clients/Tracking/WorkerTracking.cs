using System.Numerics;
using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Server.Options;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Tracking;

/// <summary>
/// Client-side caching (CLIENT TRACKING) as one worker knows it: its clients that track, which keys they have read, and
/// the way of what they are told. Worker's thread only, except where a member says otherwise.
/// </summary>
/// <remarks>What a client has read is remembered on its worker's thread, when it was read; until then the filter says
/// that somebody may have (<see cref="Announce(ulong, TrackedClient)"/>). Whoever changes the key leaves a message in
/// the worker's mailbox, which is delivered at the end of the turn, or of a later one: when all that was read by then
/// is remembered, and its reply sent before.</remarks>
internal sealed class WorkerTracking : IInvalidations, IDisposable
{
    /// <summary>Memory that a client takes which tracks, bytes, about.</summary>
    public const int BytesPerClient = 256;

    // Managed memory of a prefix with its client, bytes, about, beside its name.
    private const int BytesPerPrefix = 96;

    private const int LeastFilterBits = 1 << 13;
    private const int MostFilterBits = 1 << 22;
    private const int FilterBitsPerKey = 4;
    private const int BitsPerByte = 8;

    // Of maxmemory, what the filter may take at most.
    private const int FilterShare = 256;

    // How many chunks of keys forget a client that has gone in one step.
    private const int ForgettingChunks = 32;

    // How many keys are given up for one that comes: more where the table was made smaller.
    private const int MostVictims = 16;

    private readonly ClientWorker _worker;
    private readonly InvalidationHub _hub;
    private readonly TrackedClients _clients = new();
    private readonly Func<long, bool> _isClient;
    private readonly Broadcasts _broadcasts;
    private TrackedKeys? _keys;
    private volatile KeyFilter? _filter;
    private int _mustDropAll;

    // What MostKeys follows from, and what it is.
    private ServerOptions? _options;
    private long _mostKeys;

    // Keys that are given up, but are there until that is delivered.
    private int _leaving;
    private long _retiredBytes;

    public WorkerTracking(ClientWorker worker, InvalidationHub hub)
    {
        _worker = worker;
        _hub = hub;
        _isClient = _clients.Has;
        Sender = new InvalidationSender(worker, hub.Directory);
        _broadcasts = new Broadcasts(worker, Sender, hub.Prefixes);
        worker.Messages.Invalidations = this;
    }

    /// <summary>Tells its clients.</summary>
    public InvalidationSender Sender { get; }

    /// <summary>The worker's number.</summary>
    public int Number => _worker.Number;

    /// <summary>Where messages for its clients are left; any thread.</summary>
    public Mailbox Mailbox => _worker.Messages.Mailbox;

    /// <summary>Tells whether a change of a key must be told here; null while nobody tracks. Any thread.</summary>
    public KeyFilter? Filter => _filter;

    /// <summary>Clients that track; any thread may read it.</summary>
    public int Clients => _clients.Count;

    /// <summary>Keys that are remembered; any thread may read it.</summary>
    public int Keys => _keys?.Count ?? 0;

    /// <summary>Clients that they are remembered for, of all keys; any thread may read it.</summary>
    public long Items => _keys?.Items ?? 0;

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes
        => (_keys?.ChargedBytes ?? 0) + _retiredBytes + _broadcasts.ChargedBytes + ((long)Clients * BytesPerClient);

    private MemoryBudget Budget => _worker.Budget;

    /// <summary>A client tracks from now on.</summary>
    public void Add(Session client, TrackingState tracking)
    {
        if (!_clients.TryAdd(client, out var added))
        {
            return;
        }

        tracking.Client = added;
        Budget.Charge(BytesPerClient);
        if (_clients.Count == 1)
        {
            UseKeys(new TrackedKeys(Budget, FilterBits()));
            _hub.Add(this);
        }
    }

    /// <summary>A client tracks no longer. What is remembered of it goes in steps; of one without a slot, with the
    /// keys' changes, or with the last client.</summary>
    /// <param name="client">The client.</param>
    /// <param name="tracking">What it was told.</param>
    public void Remove(Session client, TrackingState tracking)
    {
        RemovePrefixes(client, tracking);
        if (!_clients.TryRemove(tracking.Client))
        {
            return;
        }

        Budget.Charge(-BytesPerClient);
        if (tracking.Client.Slot != TrackedClient.NoSlot)
        {
            Forget(_keys!, tracking.Client.Slot);
        }

        if (_clients.Count == 0)
        {
            _hub.Remove(this);
            Retire(_keys!);
            UseKeys(null);
        }
    }

    /// <summary>A client in BCAST mode is told of keys that begin like this.</summary>
    public void AddPrefix(Session client, TrackingState tracking, byte[] prefix)
    {
        if (tracking.Prefixes.Add(prefix))
        {
            _hub.Prefixes.Add(client, prefix);
            tracking.PrefixBytes += prefix.Length + BytesPerPrefix;
            Budget.Charge(prefix.Length + BytesPerPrefix);
        }
    }

    /// <summary>A client in BCAST mode is told no more of the keys that begin like one of its prefixes, whichever.
    /// </summary>
    /// <returns>False when it has none.</returns>
    public bool TryRemovePrefix(Session client, TrackingState tracking)
    {
        if (!tracking.Prefixes.TryTake(out var prefix))
        {
            return false;
        }

        _hub.Prefixes.Remove(client, prefix);
        tracking.PrefixBytes -= prefix.Length + BytesPerPrefix;
        Budget.Charge(-(prefix.Length + BytesPerPrefix));
        return true;
    }

    /// <summary>Asks the processor to fetch what is remembered of a key that is about to be read.</summary>
    public void Prefetch(ulong hash) => _keys!.Prefetch(hash);

    /// <summary>A client of the worker that remembers what it reads is about to read a key, without its lease.
    /// </summary>
    public void Announce(ulong hash, TrackedClient client)
    {
        // The filter has the keys that are remembered; it is larger than what a processor keeps at hand.
        if (!_keys!.Has(hash, client))
        {
            _keys.Filter.Set(hash);
        }
    }

    /// <summary>The same for several keys.</summary>
    public void Announce(ReadOnlySpan<Key> keys, TrackedClient client)
    {
        foreach (ref readonly var key in keys)
        {
            Announce(key.Hash, client);
        }
    }

    /// <summary>A client has read a command's keys, and remembers what it reads: under their leases, which are still
    /// held, or behind their announcement.</summary>
    public void Remember(CommandContext context)
    {
        var row = context.Row;
        if (!row.Has(CommandFlags.ReadOnly) || row.Has(CommandFlags.PubSub | CommandFlags.ExecutesScript))
        {
            return;
        }

        var client = context.Session.Tracking!.Client;
        if (row.IsSingleKey(context.Count))
        {
            Remember(context.Key, client);
            return;
        }

        foreach (var key in new RequestKeys(row, context.Request))
        {
            Remember(context.KeyAt(key.Index), client);
        }
    }

    /// <summary>All that clients may have kept must be dropped: those are told at the end of the turn. Any thread.
    /// </summary>
    public void DropAll()
    {
        Volatile.Write(ref _mustDropAll, 1);
        _worker.Worker.PostOnce(Mailbox);
    }

    /// <inheritdoc/>
    void IInvalidations.Deliver(in MessageHeader header, ReadOnlySpan<byte> key, CommandContext? executing)
    {
        Sender.Next();
        if (header.Kind == MessageKind.KeyChangedForOther)
        {
            if (_hub.Directory.Find(header.Client) is { } other && other.Worker == _worker)
            {
                Sender.Push(other, key, isAll: false, executing);
            }

            return;
        }

        if (!_broadcasts.TryAdd(key, header.Client))
        {
            DropAll();
        }

        if (_broadcasts.IsFull)
        {
            _broadcasts.Tell(executing);
            Sender.Next();
        }

        if (_keys?.TryTake(header.Hash, out var taken) != true)
        {
            return;
        }

        try
        {
            for (var slots = taken.Slots; slots != 0; slots &= slots - 1)
            {
                Tell(_clients.At(BitOperations.TrailingZeroCount(slots)), header.Client, key, executing);
            }

            foreach (var client in taken.Listed)
            {
                Tell(_clients.Find(client), header.Client, key, executing);
            }
        }
        finally
        {
            taken.Dispose();
        }
    }

    /// <inheritdoc/>
    void IInvalidations.EndDelivery(CommandContext? executing)
    {
        _leaving = 0;
        _broadcasts.Tell(executing);
        if (Volatile.Read(ref _mustDropAll) != 0 && Interlocked.Exchange(ref _mustDropAll, 0) != 0)
        {
            ForgetAll();
            TellAll(executing);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _keys?.Dispose();
        _broadcasts.Dispose();
    }

    private void RemovePrefixes(Session client, TrackingState tracking)
    {
        byte[][] prefixes = [.. tracking.Prefixes.All];
        Budget.Charge(-tracking.PrefixBytes);
        tracking.PrefixBytes = 0;
        _worker.GiveUpInSteps(
            prefixes.Length,
            i => _hub.Prefixes.Remove(client, prefixes[i]),
            client.Connection.IsClosed ? ServerLimits.GivenUpAtOnce : int.MaxValue);
    }

    /// <summary>Tells a client that has read a key, if it is still there, that another has changed it.</summary>
    private void Tell(Session? client, long author, ReadOnlySpan<byte> key, CommandContext? executing)
    {
        if (client?.Tracking is { } tracking
            && !tracking.Has(TrackingFlags.Broadcast) // What it read before it chose that.
            && !(tracking.Has(TrackingFlags.NoLoop) && client.Id == author))
        {
            Sender.Tell(client, tracking, key, isAll: false, executing);
        }
    }

    private void Forget(TrackedKeys keys, int slot)
    {
        var left = keys.Chunks;
        if (left == 0)
        {
            _clients.FreeSlot(slot);
            return;
        }

        _worker.GiveUpInSteps(
            left,
            i =>
            {
                keys.Forget(i, slot);
                if (i == left - 1)
                {
                    _clients.FreeSlot(slot);
                }
            },
            ForgettingChunks);
    }

    private void Remember(in Key key, TrackedClient client)
    {
        if (_keys!.Has(key.Hash, client))
        {
            return;
        }

        if (key.Length > ServerLimits.LongestMessageInMailbox
            || !_keys.TryAdd(key.Hash, key.Span, client, _isClient))
        {
            DropAll(); // Behind the reply: the client has not kept it for long.
            return;
        }

        var excess = _keys.Count - _leaving - MostKeys();
        for (var left = Math.Min(excess, MostVictims); left > 0; left--)
        {
            GiveUpOne();
        }
    }

    /// <summary>Tells the clients of a key, chosen at random, as if it had changed.</summary>
    private void GiveUpOne()
    {
        if (_keys!.TryFindVictim(out var hash, out var name))
        {
            _leaving++;
            var header = new MessageHeader { Hash = hash, Kind = MessageKind.KeyChanged };
            if (!Mailbox.TryAdd(header, name, message: default))
            {
                DropAll();
            }
        }
    }

    /// <summary>Keys that the worker's clients may track: its share of <c>tracking-table-max-keys</c>.</summary>
    private long MostKeys()
    {
        if (_options != _worker.Options)
        {
            _options = _worker.Options;
            var (most, workers) = (_options.TrackingTableMaxKeys, _worker.Server.WorkerCount);
            _mostKeys = most == 0 ? long.MaxValue : (most + workers - 1) / workers;
        }

        return _mostKeys;
    }

    private int FilterBits()
    {
        var bits = LeastFilterBits;
        var limit = Budget.LimitBytes;
        var most = limit == 0 ? MostFilterBits : Math.Min(MostFilterBits, limit / FilterShare * BitsPerByte);
        while (bits < most && bits / FilterBitsPerKey < MostKeys())
        {
            bits *= 2;
        }

        return bits;
    }

    /// <summary>Nothing is kept any more. Who reads without a lease and was announced in the filter before has not been
    /// answered yet, or is told with all others.</summary>
    private void ForgetAll()
    {
        if (_keys is { Count: > 0 } keys)
        {
            UseKeys(new TrackedKeys(Budget, FilterBits()));
            Retire(keys);
        }
    }

    private void UseKeys(TrackedKeys? keys)
    {
        _keys = keys;
        _filter = keys?.Filter;
    }

    /// <summary>Frees what nobody looks at any more in steps.</summary>
    private void Retire(TrackedKeys keys)
    {
        if (keys.Chunks == 0)
        {
            keys.Dispose();
            return;
        }

        _retiredBytes += keys.ChargedBytes;
        var left = keys.ChargedBytes;
        _worker.GiveUpInSteps(
            keys.Chunks,
            i =>
            {
                keys.FreeChunk(i);
                _retiredBytes += keys.ChargedBytes - left;
                left = keys.ChargedBytes;
            },
            atOnce: 1);
    }

    private void TellAll(CommandContext? executing)
    {
        Sender.Next();
        foreach (var client in _clients.All)
        {
            if (client.Tracking is { } tracking)
            {
                Sender.Tell(client, tracking, key: default, isAll: true, executing);
            }
        }
    }
}
