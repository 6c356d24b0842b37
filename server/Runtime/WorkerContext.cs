using System.Runtime.CompilerServices;
using Strata.Server.Options;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;

namespace Strata.Server.Runtime;

/// <summary>
/// A worker, as everything on it may know it: its loop, and the buffers that its connections share. What stands higher
/// adds what it knows (clients, execution, the server's duties) by deriving from this. All of it is touched by the
/// worker's thread alone, except where a member says otherwise.
/// </summary>
public abstract class WorkerContext : IWorkerDuties, IDisposable
{
    private readonly StepQueue _steps;
    private readonly List<IDiskWaiter> _diskWaiters = [];
    private readonly DiskNotice _diskNotice;

    internal WorkerContext(ServerContext server, int number)
    {
        Server = server;
        Number = number;
        Options = server.Configuration.Current;
        Budget = server.Shards.Budget;
        Reply = new ReplyWriter(Errors, Budget) { MayRefuse = MayRefuseReply };
        Replies = new ReplyBatch(this);
        Arguments = new ArgumentBuffer(Budget);
        ArgumentBuffers = new(
            () => new ArgumentBuffer(Budget, ArgumentBuffer.SmallCapacity),
            static buffer => buffer.Free(),
            ServerLimits.MaxFreeArgumentBuffers,
            Budget,
            ArgumentBuffer.BytesFromTheStart(ArgumentBuffer.SmallCapacity));
        Worker = new Worker(number, server.Quiescence, this, server.Platform);
        _steps = new StepQueue(server.Platform.Clock, Replies);
        _diskNotice = new DiskNotice(this);
    }

    public ServerContext Server { get; }

    public int Number { get; }

    /// <summary>Thread and event loop.</summary>
    public Worker Worker { get; }

    /// <summary>The configuration as of the start of this turn.</summary>
    public ServerOptions Options { get; protected set; }

    /// <summary>Error replies by code; any thread may read it.</summary>
    public ErrorCounts Errors { get; } = new();

    /// <summary>Bytes received from clients; any thread may read it.</summary>
    public long ReceivedBytes { get; private set; }

    /// <summary>Bytes sent to clients; any thread may read it.</summary>
    public long SentBytes { get; private set; }

    /// <summary>Receptions from clients that gave something; any thread may read it.</summary>
    public long Reads { get; private set; }

    /// <summary>Transmissions to clients that took something; any thread may read it.</summary>
    public long Writes { get; private set; }

    /// <summary>Clients closed because of <c>client-query-buffer-limit</c>; any thread may read it.</summary>
    public long InputLimitsPassed { get; internal set; }

    /// <summary>Clients closed because of <c>client-output-buffer-limit</c>; any thread may read it.</summary>
    public long OutputLimitsPassed { get; internal set; }

    /// <summary>CPU that the worker's thread had used at its last tick; any thread may read it.</summary>
    public ThreadUsage Usage { get; private protected set; }

    /// <summary>Keys that commands of the worker's clients hold which go on in steps.</summary>
    internal int HeldKeys { get; set; }

    /// <summary>Makes a buffer for a reply that is made in several turns, and sent when it is whole.</summary>
    internal ReplyWriter CreateReply(int protocol)
        => new(Errors, Budget, isSeldomUsed: true) { Protocol = protocol, MayRefuse = Reply.MayRefuse };

    /// <summary>What memory is charged to; any thread.</summary>
    internal MemoryBudget Budget { get; }

    /// <summary>What its connections read through.</summary>
    internal InputWindow Input { get; private protected set; } = new();

    /// <summary>Where replies are written.</summary>
    internal ReplyWriter Reply { get; private protected set; }

    /// <summary>Replies that are sent together.</summary>
    internal ReplyBatch Replies { get; }

    /// <summary>The arguments of the commands that are being parsed.</summary>
    internal ArgumentBuffer Arguments { get; private protected set; }

    /// <summary>Arguments of commands that have not come whole.</summary>
    internal Pool<ArgumentBuffer> ArgumentBuffers { get; }

    /// <summary>The worker's way to the device; null where all data stays in memory.</summary>
    internal TierWorker? Tier { get; private protected set; }

    /// <inheritdoc/>
    public abstract void OnTurn(Worker worker);

    /// <inheritdoc/>
    public void OnHandled(Worker worker)
    {
        Replies.Send();
        Replies.IsOpen = true;
    }

    /// <inheritdoc/>
    public abstract bool OnWait(Worker worker);

    /// <inheritdoc/>
    public abstract void OnTick(Worker worker, long elapsedMs);

    /// <inheritdoc/>
    public abstract void OnFault(Worker worker, Exception exception);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Has something done on the worker's thread, for work that is rare enough to allocate. Any thread.
    /// </summary>
    internal void Post(Action action) => Worker.Post(new PostedAction(action, mayRunWithin: false));

    /// <summary>The same for what need not wait until a slow script has ended: it touches no shard, nothing that the
    /// command at work uses, and no client that may execute one. Any thread.</summary>
    internal void PostWithin(Action action) => Worker.Post(new PostedAction(action, mayRunWithin: true));

    /// <summary>Has a step of long work done in a turn to come. The worker's thread.</summary>
    internal void PostStep(Action step) => _steps.Add(Worker, step);
    /// <summary>Lets somebody wait until the disk has what its replies tell of.</summary>
    internal void AwaitDisk(IDiskWaiter waiter) => _diskWaiters.Add(waiter);

    /// <summary>The disk has more of the journal. Any thread.</summary>
    internal void OnDurable() => Worker.PostOnce(_diskNotice);

    private void EndDiskWaits()
    {
        // Those that must wait on are added again, as is who has been answered more meanwhile.
        var count = _diskWaiters.Count;
        for (var i = 0; i < count; i++)
        {
            var waiter = _diskWaiters[i];
            if (!waiter.TryEndAwait(Server.Durability))
            {
                _diskWaiters.Add(waiter);
            }
        }

        _diskWaiters.RemoveRange(0, count);
    }

    /// <summary>Whether somebody on the worker waits for the disk.</summary>
    protected bool AwaitsDisk => _diskWaiters.Count > 0;

    /// <summary>Gives up what may be many things in steps, between which others have their turn: the first at once.
    /// </summary>
    /// <param name="count">How many there are.</param>
    /// <param name="giveUp">Gives up one, by its number.</param>
    /// <param name="atOnce">How many in one step.</param>
    internal void GiveUpInSteps(int count, Action<int> giveUp, int atOnce = ServerLimits.GivenUpAtOnce)
        => GiveUpFrom(0, count, giveUp, atOnce);

    /// <summary>Counts a reception; nothing, or an error, counts for nothing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void CountRead(long bytes)
    {
        if (bytes > 0)
        {
            ReceivedBytes += bytes;
            Reads++;
        }
    }

    /// <summary>Counts a transmission, likewise.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void CountWrite(long bytes)
    {
        if (bytes > 0)
        {
            SentBytes += bytes;
            Writes++;
        }
    }

    private void GiveUpFrom(int first, int count, Action<int> giveUp, int atOnce)
    {
        var end = (int)Math.Min(count, (long)first + atOnce);
        for (var i = first; i < end; i++)
        {
            giveUp(i);
        }

        if (end < count)
        {
            PostStep(() => GiveUpFrom(end, count, giveUp, atOnce));
        }
    }

    /// <summary>Whether the command at work may be refused in the midst of its reply: it changes nothing.</summary>
    private protected abstract bool MayRefuseReply();

    /// <summary>Frees what the worker holds; its thread has ended.</summary>
    protected virtual void Dispose(bool disposing)
    {
        Worker.Dispose();
        Reply.Dispose();
        Replies.Dispose();
        Arguments.Dispose();
        ArgumentBuffers.Dispose();
        Input.Dispose();
    }

    private sealed class DiskNotice(WorkerContext context) : WorkItem
    {
        /// <inheritdoc/>
        public override void Run(Worker worker) => context.EndDiskWaits();
    }

    private sealed class PostedAction(Action action, bool mayRunWithin) : WorkItem
    {
        /// <inheritdoc/>
        public override bool MayRunWithin(IEventHandler executing) => mayRunWithin;

        /// <inheritdoc/>
        public override void Run(Worker worker) => action();
    }
}
