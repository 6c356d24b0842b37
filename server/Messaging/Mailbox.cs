using Strata.Server.Network;
using Strata.Server.Runtime;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Messaging;

/// <summary>
/// The messages that one worker is to bring to its subscribers, in the order in which they were published. Any thread
/// adds to it: under a lock that is held while a short message is copied. That keeps the order of the events of one
/// key, which are published under its shard's lease by whichever thread holds that.
/// </summary>
internal sealed unsafe class Mailbox : WorkItem, IDisposable
{
    private const int KeptBytes = 64 << 10;

    private readonly Lock _lock = new();
    private readonly MessageDelivery _delivery;
    private readonly MessageHub _hub;
    private readonly MemoryBudget _budget;
    private readonly NativeBuffer[] _buffers; // One takes messages while those in the other are delivered.
    private int _filling;
    private bool _isTaken;
    private long _waitingBytes;
    private long _added;

    public Mailbox(MessageDelivery delivery, MessageHub hub, MemoryBudget budget)
    {
        _delivery = delivery;
        _hub = hub;
        _budget = budget;
        _buffers = [new NativeBuffer(budget), new NativeBuffer(budget)];
    }

    /// <summary>Whose mailbox it is.</summary>
    public WorkerContext Worker => _delivery.Worker;

    /// <summary>Whether so much waits to be delivered that whoever publishes more should wait; any thread.</summary>
    public bool IsBehind => Volatile.Read(ref _waitingBytes) > ServerLimits.MailboxHighWaterBytes;

    /// <summary>How many messages were ever added; any thread.</summary>
    public long Added => Volatile.Read(ref _added);

    /// <summary>Bytes of its buffers that are charged to the budget; on the worker, while nobody adds to it.</summary>
    public long ChargedBytes => _buffers.Sum(buffer => buffer.MemoryBytes);

    /// <summary>Adds a message, if there is memory for it: nobody who publishes, or changes a key, can do anything
    /// about that. Any thread.</summary>
    /// <param name="header">What it is, with neither the lengths of its parts nor memory of its own.</param>
    /// <param name="channel">The channel's name, or the key's.</param>
    /// <param name="message">The message.</param>
    /// <param name="shared">Where both are when they are long; else none.</param>
    /// <returns>False when there is no memory.</returns>
    public bool TryAdd(
        in MessageHeader header,
        ReadOnlySpan<byte> channel,
        ReadOnlySpan<byte> message,
        in SharedMessage shared = default)
    {
        try
        {
            AddCopy(header, channel, message, shared);
        }
        catch (OutOfMemoryException)
        {
            Worker.Server.Log.NoMemoryForMessage(channel.Length + (long)message.Length);
            return false;
        }

        Worker.Worker.PostOnce(this);
        return true;
    }

    /// <inheritdoc/>
    public override bool MayRunWithin(IEventHandler executing) => true;

    /// <summary>Delivers what there is, at the end of the worker's turn.</summary>
    public override void Run(Worker worker) => _delivery.Deliver();

    /// <summary>The messages that were taken out and are not delivered yet; null when there is none. On the worker.
    /// </summary>
    public NativeBuffer? Taken => _isTaken ? _buffers[1 - _filling] : null;

    /// <summary>Takes all messages out; on the worker. What is taken must be given back by <see cref="Return"/> before
    /// more is.</summary>
    /// <returns>Null when there is none.</returns>
    public NativeBuffer? Take()
    {
        lock (_lock)
        {
            if (_buffers[_filling].IsEmpty)
            {
                return null;
            }

            _filling = 1 - _filling;
            _isTaken = true;
            SetWaiting(0);
            return Taken;
        }
    }

    /// <summary>The messages taken have been delivered.</summary>
    public void Return()
    {
        Taken!.Clear(KeptBytes);
        _isTaken = false;
    }

    /// <summary>Gives back the memory of a delivered message.</summary>
    public void Free(in MessageHeader header) => header.Shared.Release(_budget);

    /// <inheritdoc/>
    public void Dispose()
    {
        for (var taken = Take(); taken != null; taken = Take())
        {
            while (!taken.IsEmpty)
            {
                var header = *(MessageHeader*)taken.Start;
                Free(header);
                taken.Consume(header.SizeBytes);
            }

            Return();
        }

        foreach (var buffer in _buffers)
        {
            buffer.Dispose();
        }
    }

    private void AddCopy(
        MessageHeader header, ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message, in SharedMessage shared)
    {
        header.ChannelLength = channel.Length;
        header.MessageLength = message.Length;
        header.Shared = shared;
        lock (_lock)
        {
            var incoming = _buffers[_filling];
            var place = incoming.ReserveTail(header.SizeBytes);
            *(MessageHeader*)place = header;
            if (shared.IsNone)
            {
                place += sizeof(MessageHeader);
                channel.CopyTo(new Span<byte>(place, channel.Length));
                message.CopyTo(new Span<byte>(place + channel.Length, message.Length));
            }

            shared.Retain();
            incoming.Commit(header.SizeBytes);
            Volatile.Write(ref _added, _added + 1);
            SetWaiting(_waitingBytes + header.Length);
        }
    }

    /// <summary>Under the lock.</summary>
    private void SetWaiting(long bytes)
    {
        var wasBehind = IsBehind;
        Volatile.Write(ref _waitingBytes, bytes);
        if (IsBehind != wasBehind)
        {
            _hub.CountBehind(wasBehind ? -1 : 1);
        }
    }
}
