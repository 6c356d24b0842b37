using Strata.Server.Commands.Model;

namespace Strata.Server.Messaging;

/// <summary>
/// A channel, or a pattern of channels (<see cref="Pattern"/>), and who subscribes to it. The numbers of subscribers
/// may be read by any thread and change under the lock of the <see cref="ChannelDirectory"/>; each worker's subscribers
/// are that worker's alone.
/// </summary>
internal class Channel
{
    /// <summary>Managed memory that a subscription takes with the client and with the channel, bytes, about.</summary>
    public const int BytesPerSubscription = 160;

    // What a channel takes besides its name: itself, its place in the directory, its arrays and its first set.
    private const int OwnBytes = 320;
    private const int BytesPerWorker = 12;

    /// <summary>Managed memory that the first subscription to a channel takes besides its name, bytes, about.</summary>
    public const int BytesOfFirst = OwnBytes + BytesPerSubscription;

    private readonly int[] _counts;
    private readonly HashSet<CommandClient>?[] _subscribers;

    public Channel(ReadOnlySpan<byte> name, ulong hash, int workers)
    {
        Name = name.ToArray();
        Hash = hash;
        _counts = new int[workers];
        _subscribers = new HashSet<CommandClient>?[workers];
    }

    public byte[] Name { get; }

    /// <summary>The name's <see cref="ChannelDirectory.HashOf"/>.</summary>
    public ulong Hash { get; }

    /// <summary>Managed memory that it takes, bytes, about.</summary>
    public virtual int SizeBytes => OwnBytes + (_counts.Length * BytesPerWorker) + Name.Length;

    /// <summary>Subscribers of all workers.</summary>
    public int Total { get; private set; }

    /// <summary>How many of the subscribers a worker has.</summary>
    public int CountOf(int worker) => Volatile.Read(ref _counts[worker]);

    /// <summary>A worker's subscribers, for that worker; null for none.</summary>
    public HashSet<CommandClient>? SubscribersOf(int worker) => _subscribers[worker];

    /// <summary>Adds a subscriber, on its worker and under the directory's lock.</summary>
    public void Add(CommandClient client)
    {
        var worker = client.Worker.Number;
        (_subscribers[worker] ??= []).Add(client);
        Total++;
        Volatile.Write(ref _counts[worker], _counts[worker] + 1);
    }

    /// <summary>Takes a subscriber off, on its worker and under the directory's lock.</summary>
    public void Remove(CommandClient client)
    {
        var worker = client.Worker.Number;
        _subscribers[worker]!.Remove(client);
        Total--;
        Volatile.Write(ref _counts[worker], _counts[worker] - 1);
    }
}
