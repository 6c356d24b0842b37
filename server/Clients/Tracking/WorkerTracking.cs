using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Tracking;

/// <summary>
/// Client-side caching (CLIENT TRACKING) as one worker knows it: its clients that track, which keys they have read, and
/// the way of what they are told. Worker's thread only, except where a member says otherwise.
/// </summary>
/// <remarks>What a client has read is remembered on its worker's thread, when it was read; until then the filter says
/// that somebody may have (<see cref="Announce(ulong)"/>). Whoever changes the key leaves a message in the worker's
/// mailbox, which is delivered at the end of the turn, or of a later one: when all that was read by then is remembered,
/// and its reply sent before.</remarks>
internal sealed class WorkerTracking : IInvalidations, IDisposable
{
    /// <summary>Memory that a client takes which tracks, bytes, about.</summary>
    public const int BytesPerClient = 256;

    private const int LeastFilterBits = 1 << 16;
    private const int MostFilterBits = 1 << 22;
    private const int FilterBitsPerKey = 4;
    private const int BitsPerByte = 8;

    // Of maxmemory, what the filter may take at most.
    private const int FilterShare = 256;

    // How many keys are given up for one that comes: more where the table was made smaller.
    private const int MostVictims = 16;

    private readonly ClientWorker _worker;
    private readonly InvalidationHub _hub;
    private readonly Dictionary<long, Session> _clients = [];
    private readonly Func<long, bool> _isClient;
    private TrackedKeys? _keys;
    private volatile KeyFilter? _filter;
    private int _mustDropAll;
    private long _retiredBytes;

    public WorkerTracking(ClientWorker worker, InvalidationHub hub)
    {
        _worker = worker;
        _hub = hub;
        _isClient = _clients.ContainsKey;
        worker.Messages.Invalidations = this;
    }

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
    public long ChargedBytes => (_keys?.ChargedBytes ?? 0) + _retiredBytes + ((long)Clients * BytesPerClient);

    private MemoryBudget Budget => _worker.Budget;

    /// <summary>A client tracks from now on.</summary>
    public void Add(Session client)
    {
        if (!_clients.TryAdd(client.Id, client))
        {
            return;
        }

        Budget.Charge(BytesPerClient);
        if (_clients.Count == 1)
        {
            UseKeys(new TrackedKeys(Budget, FilterBits()));
            _hub.Add(this);
        }
    }

    /// <summary>A client tracks no longer. What is remembered of it goes with the keys' changes, or with the last
    /// client.</summary>
    public void Remove(Session client)
    {
        if (!_clients.Remove(client.Id))
        {
            return;
        }

        Budget.Charge(-BytesPerClient);
        if (_clients.Count == 0)
        {
            _hub.Remove(this);
            Retire(_keys!);
            UseKeys(null);
        }
    }

    /// <summary>A client of the worker that remembers what it reads is about to read a key, without its lease.
    /// </summary>
    public void Announce(ulong hash) => _keys!.Filter.Set(hash);

    /// <summary>The same for several keys.</summary>
    public void Announce(ReadOnlySpan<Key> keys)
    {
        foreach (ref readonly var key in keys)
        {
            _keys!.Filter.Set(key.Hash);
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

        if (row.IsSingleKey(context.Count))
        {
            Remember(context.Key, context.Client.Id);
            return;
        }

        foreach (var key in new RequestKeys(row, context.Request))
        {
            Remember(context.KeyAt(key.Index), context.Client.Id);
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
        NextMessages();
        if (header.Kind == MessageKind.KeyChangedForOther)
        {
            if (_hub.Directory.Find(header.Client) is { } other && other.Worker == _worker)
            {
                Push(other, key, isAll: false, executing);
            }

            return;
        }

        if (_keys?.TryTake(header.Hash, out var taken) != true)
        {
            return;
        }

        try
        {
            for (var i = 0; i < taken.Count; i++)
            {
                if (_clients.GetValueOrDefault(taken[i])?.Tracking is { } tracking
                    && !(tracking.Has(TrackingFlags.NoLoop) && taken[i] == header.Client))
                {
                    Tell(_clients[taken[i]], tracking, key, isAll: false, executing);
                }
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
        if (Volatile.Read(ref _mustDropAll) != 0 && Interlocked.Exchange(ref _mustDropAll, 0) != 0)
        {
            ForgetAll();
            TellAll(executing);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _keys?.Dispose();

    private void Remember(in Key key, long client)
    {
        if (key.Length > ServerLimits.LongestMessageInMailbox
            || !_keys!.TryAdd(key.Hash, key.Span, client, _isClient))
        {
            DropAll(); // Behind the reply: the client has not kept it for long.
            return;
        }

        var most = MostKeys();
        for (var left = Math.Min(_keys.Count - most, MostVictims); left > 0; left--)
        {
            GiveUpOne();
        }
    }

    /// <summary>Tells the clients of a key, chosen at random, as if it had changed.</summary>
    private void GiveUpOne()
    {
        if (_keys!.TryFindVictim(out var hash, out var name))
        {
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
        var most = _worker.Options.TrackingTableMaxKeys;
        var workers = _worker.Server.WorkerCount;
        return most == 0 ? long.MaxValue : (most + workers - 1) / workers;
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
        _retiredBytes += keys.ChargedBytes;
        var left = keys.ChargedBytes;
        _worker.GiveUpInSteps(
            keys.Chunks + 1,
            i =>
            {
                if (i < keys.Chunks)
                {
                    keys.FreeChunk(i);
                }
                else
                {
                    keys.Dispose();
                }

                _retiredBytes += keys.ChargedBytes - left;
                left = keys.ChargedBytes;
            },
            atOnce: 1);
    }

    private void TellAll(CommandContext? executing)
    {
        NextMessages();
        foreach (var client in _clients.Values.ToArray())
        {
            if (client.Tracking is { } tracking)
            {
                Tell(client, tracking, key: default, isAll: true, executing);
            }
        }
    }

    /// <summary>Tells a client of the worker, or who is told in its place.</summary>
    private void Tell(
        Session client, TrackingState tracking, ReadOnlySpan<byte> key, bool isAll, CommandContext? executing)
    {
        if (tracking.Redirection == 0)
        {
            if (client.Protocol == 3)
            {
                Push(client, key, isAll, executing);
            }
        }
        else if (_hub.Directory.Find(tracking.Redirection) is { } other)
        {
            TellOther(other, key, isAll, executing);
        }
        else
        {
            tracking.IsRedirectionBroken = true;
            if (client.Protocol == 3)
            {
                PushBroken(client, tracking.Redirection, executing);
            }
        }
    }

    private void TellOther(Session other, ReadOnlySpan<byte> key, bool isAll, CommandContext? executing)
    {
        if (other.Worker == _worker)
        {
            Push(other, key, isAll, executing);
            return;
        }

        var header = new MessageHeader { Kind = MessageKind.KeyChangedForOther, Client = other.Id };
        if (isAll || !other.Worker.Messages.Mailbox.TryAdd(header, key, message: default))
        {
            other.Worker.PostWithin(() => other.Worker.Tracking.PushAll(other));
        }
    }

    /// <summary>A client is told that any key may have changed; for others of other workers.</summary>
    private void PushAll(Session client)
    {
        NextMessages();
        Push(client, key: default, isAll: true, _worker.Messages.Executing);
        _worker.Worker.PostOnce(Mailbox); // Where what was pushed is sent.
    }

    private void NextMessages()
    {
        _worker.Messages.Resp2.Next();
        _worker.Messages.Resp3.Next();
    }

    /// <summary>Pushes the current message to a client, of this worker, that can take it: in RESP2 it comes by a
    /// channel.</summary>
    private void Push(Session client, ReadOnlySpan<byte> key, bool isAll, CommandContext? executing)
    {
        var messages = _worker.Messages;
        if (client.Connection.IsClosed || (client.Protocol == 2 && !client.IsSubscriber))
        {
            return;
        }

        client.IsTold = true;
        var buffer = client.Protocol == 2 ? messages.Resp2 : messages.Resp3;
        if (buffer.Length == 0 && !TryWrite(buffer, key, isAll))
        {
            messages.CutOff(client, executing, isTooLong: false);
        }
        else
        {
            messages.Push(client, buffer, executing);
        }
    }

    private void PushBroken(Session client, long other, CommandContext? executing)
    {
        var buffer = _worker.Messages.Resp3;
        buffer.Next();
        buffer.WriteRedirectionBroken(other);
        _worker.Messages.Push(client, buffer, executing);
        buffer.Next();
    }

    private static bool TryWrite(PushBuffer buffer, ReadOnlySpan<byte> key, bool isAll)
    {
        try
        {
            if (isAll)
            {
                buffer.WriteInvalidationOfAll();
            }
            else
            {
                buffer.WriteInvalidation(key);
            }

            return true;
        }
        catch (Exception exception) when (exception is OutOfMemoryException or MemoryExhaustedException)
        {
            buffer.Undo();
            return false;
        }
    }
}
