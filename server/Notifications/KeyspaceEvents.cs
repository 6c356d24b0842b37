using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Notifications;

/// <summary>
/// Publishes what becomes of keys (<c>notify-keyspace-events</c>) to the channels <c>__keyspace@db__:key</c> and
/// <c>__keyevent@db__:event</c>. Whoever changes a key calls it under the key's lease, on whatever thread: the events
/// of one key are published in their order. While nobody could receive an event, no class is active.
/// </summary>
public sealed unsafe class KeyspaceEvents : IChangeListener, IKeyMissListener
{
    private const int ChannelBytesOnStack = 512;

    // "__keyspace@" or "__keyevent@", up to three digits, "__:"
    private const int PrefixBytes = 17;

    private readonly Lock _lock = new();
    private readonly ServerContext _server;
    private readonly MessageHub _messages;
    private NotificationClasses _configured;
    private volatile NotificationClasses _active;

    internal KeyspaceEvents(ServerContext server, MessageHub messages)
    {
        _server = server;
        _messages = messages;
        _configured = server.Configuration.Current.NotifyKeyspaceEvents;
        messages.AudienceChanged += Update;
    }

    /// <summary>Whether events of a class are published now.</summary>
    public bool Want(NotificationClasses classes) => (_active & classes) != 0;

    /// <inheritdoc/>
    bool IKeyMissListener.WantsMisses => Want(NotificationClasses.KeyMiss);

    /// <inheritdoc/>
    void IKeyMissListener.OnMiss(in Key key) => Publish("keymiss"u8, key.Span, key.Database);

    /// <summary>Publishes events of these classes from now on.</summary>
    public void Configure(NotificationClasses classes)
    {
        lock (_lock)
        {
            _configured = classes;
        }

        Update();
    }

    /// <summary>Publishes an event of an active class.</summary>
    public void Publish(ReadOnlySpan<byte> name, ReadOnlySpan<byte> key, byte database)
    {
        var active = _active;
        var number = _server.Databases.LogicalOf(database);
        if ((active & NotificationClasses.KeySpace) != 0)
        {
            Publish("__keyspace@"u8, number, key, name);
        }

        if ((active & NotificationClasses.KeyEvent) != 0)
        {
            Publish("__keyevent@"u8, number, name, key);
        }
    }

    /// <inheritdoc/>
    public void BeforeChange(in Key key, in Record record)
    {
        // What is told is what became of the key.
    }

    /// <inheritdoc/>
    public void Changed(in Key key, in Record record, in Change change)
    {
        if (Want(change.What.Classes))
        {
            Publish(change.What.Name, key.Span, key.Database);
        }
    }

    /// <inheritdoc/>
    public void BeforeClear(int database)
    {
        // Redis has no event for it.
    }

    /// <inheritdoc/>
    public void Cleared(int database, IChangeAuthor? author)
    {
    }

    /// <inheritdoc/>
    public void BeforeExchange(byte first, byte second)
    {
        // Redis has no event for it.
    }

    /// <inheritdoc/>
    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
    }

    private void Publish(
        ReadOnlySpan<byte> prefix, int database, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> message)
    {
        var length = PrefixBytes + subject.Length;
        if (length <= ChannelBytesOnStack)
        {
            Publish(stackalloc byte[ChannelBytesOnStack], prefix, database, subject, message);
            return;
        }

        try
        {
            using var channel = new NativeSpan(length);
            Publish(channel.Span, prefix, database, subject, message);
        }
        catch (MemoryExhaustedException)
        {
            _server.Log.NoMemoryForMessage(length); // A listener must not throw: the key has changed.
        }
    }

    private void Publish(
        Span<byte> channel,
        ReadOnlySpan<byte> prefix,
        int database,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> message)
    {
        prefix.CopyTo(channel);
        var length = prefix.Length + Resp.NumberParser.Format(database, channel[prefix.Length..]);
        "__:"u8.CopyTo(channel[length..]);
        length += 3;
        subject.CopyTo(channel[length..]);
        _messages.Publish(channel[..(length + subject.Length)], message);
    }

    /// <summary>Decides again what is active.</summary>
    private void Update()
    {
        lock (_lock)
        {
            var isHeard = (_configured & (NotificationClasses.KeySpace | NotificationClasses.KeyEvent)) != 0
                && _messages.HasAudience;
            var wasActive = _active != NotificationClasses.None;
            _active = isHeard ? _configured : NotificationClasses.None;
            if (wasActive == isHeard)
            {
                return;
            }

            foreach (var shard in _server.Shards.All)
            {
                if (isHeard)
                {
                    shard.Changes.Add(this);
                }
                else
                {
                    shard.Changes.Remove(this);
                }
            }
        }
    }
}
