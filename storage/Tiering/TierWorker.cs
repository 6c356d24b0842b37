using System.Runtime.InteropServices;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>
/// One worker's way to the tier (rule 4 of the architecture): its requests, and the pools of what they need. Belongs to
/// the worker's thread, except for <see cref="NotifyRoom"/> and the counters.
/// </summary>
public sealed unsafe class TierWorker : IEventHandler, IDisposable
{
    // Managed memory of a set of reads, about, before anything is read.
    private const int BytesPerSet = 640 + ColdReadList.KeptBytes;

    private readonly RoomNotice _notice;
    private readonly DeviceChannel _channel;
    private readonly Action<Exception> _onFault;

    // Opened when it is first needed: what its requests are waited for ends no others.
    private DeviceChannel? _awaited;
    private readonly Queue<ShardTask> _tasks = new();
    private bool _wantsRoom;
    private bool _awaitsReads;
    private int _nextToLetGo;
    private int _roomWaits;
    private long _retriedMs;

    /// <summary>Opens the worker's queue; call it on the worker's thread.</summary>
    /// <param name="tier">The tier.</param>
    /// <param name="number">The worker's number.</param>
    /// <param name="budget">What the memory of large reads is charged to.</param>
    /// <param name="worker">Whose loop waits for the queue; null when nobody waits in a loop.</param>
    /// <param name="onFault">Told of a programmer's error in what follows a request.</param>
    /// <exception cref="DeviceException">The kernel gives no more queues.</exception>
    public TierWorker(Tier tier, int number, MemoryBudget budget, Worker? worker, Action<Exception> onFault)
    {
        Tier = tier;
        Number = number;
        Budget = budget;
        ReadPool = new(
            () => new ColdRead(this),
            static read => read.Clear(),
            Limits.MaxFreeColdReads,
            budget,
            ColdRead.ManagedBytes);
        Sets = new(
            () => new ColdReadSet(this),
            static set => set.Reset(),
            Limits.MaxFreeColdReads,
            budget,
            BytesPerSet);
        Worker = worker;
        _onFault = onFault;
        _notice = new RoomNotice(this);
        Latencies = new DeviceLatencies(tier.Clock);
        _channel = new DeviceChannel(tier.Device, tier.ThrottleLimit, onFault, ColdRead.BufferBytes, Latencies);
        if (worker != null && worker.Poller.Add(_channel.CompletionDescriptor, EpollEdge, this) < 0)
        {
            var errno = Marshal.GetLastPInvokeError();
            Dispose();
            throw new DeviceException($"cannot wait for the device (errno {errno}): raise 'ulimit -n'");
        }

        tier.Register(this);
    }

    /// <summary>Raised on the worker's thread when memory was let go after <see cref="WantRoom"/>.</summary>
    public event Action? RoomMade;

    public Tier Tier { get; }

    /// <summary>Whether so many wait for the device, with memory at its end, that nobody else is to begin much: what
    /// each takes beside its records adds up. They come to an end by themselves.</summary>
    public bool IsCrowded => Sets.Lent > Limits.CrowdOfColdReads && Budget.IsAtEnd;

    /// <summary>Whether they are so many that nobody else is to begin anything.</summary>
    public bool IsFull => Sets.Lent > Limits.MostColdReads;

    public int Number { get; }

    /// <summary>Whose loop waits for the queue; null when nobody waits in a loop.</summary>
    internal Worker? Worker { get; }

    /// <summary>Records read from the device.</summary>
    public long Reads { get; internal set; }

    /// <summary>Those of them that took a second read, because the first did not bring all of them.</summary>
    public long SecondReads { get; internal set; }

    /// <summary>Reads that the device failed.</summary>
    public long FailedReads { get; internal set; }

    /// <summary>Records that were not as they had been written.</summary>
    public long DamagedRecords { get; internal set; }

    /// <summary>Records moved back into memory because they were read again.</summary>
    public long CopiedRecords { get; internal set; }

    /// <summary>How long the device took for its requests.</summary>
    public DeviceLatencies Latencies { get; }

    /// <summary>Requests to the device that have not ended.</summary>
    public int InFlight => _channel.InFlight;

    /// <inheritdoc cref="DeviceChannel.RegisterErrno"/>
    public int RegisterErrno => _channel.RegisterErrno;

    /// <summary>Tasks that have steps left.</summary>
    internal int Tasks => _tasks.Count;

    internal MemoryBudget Budget { get; }

    /// <summary>Reads of single records.</summary>
    internal Pool<ColdRead> ReadPool { get; }

    /// <summary>Records that all sets have asked for, read or not.</summary>
    internal int ColdAsks { get; set; }

    /// <summary>Bytes charged to the budget for what is known of those.</summary>
    internal long ColdAskBytes { get; set; }

    /// <summary>What commands that may meet cold records are executed with.</summary>
    internal Pool<ColdReadSet> Sets { get; }

    /// <summary>Wall clock at the start of the turn, milliseconds since 1970.</summary>
    internal long NowMs { get; private set; }

    internal int SectorBytes => Tier.Device.SectorBytes;

    private static uint EpollEdge => EpollEvents.In | EpollEvents.EdgeTriggered;

    /// <summary>Ends the requests whose completions have come, goes on with what waited for them, and makes a step of a
    /// task; at the start of every turn, and, waiting for <paramref name="least"/> requests, where no loop
    /// waits.</summary>
    /// <param name="nowMs">Wall clock, milliseconds since 1970.</param>
    /// <param name="least">How many requests to wait for.</param>
    public void Complete(long nowMs, int least = 0)
    {
        NowMs = nowMs;
        _ = _channel.Complete(least);
        if (AwaitsRoom && nowMs != _retriedMs)
        {
            _retriedMs = nowMs;
            Tier.LittleColdRoom.Retry(this, nowMs);
            Tier.ColdRoom.Retry(this, nowMs);
        }

        StepTask();
    }

    /// <summary>Starts what was asked for during the turn.</summary>
    public void Submit() => _channel.Submit();

    /// <summary>Starts what was asked for during the turn, before the worker waits.</summary>
    /// <returns>False when completions have come already, or a task goes on: do not wait.</returns>
    public bool TryPrepareWait()
    {
        _channel.Submit();
        return _tasks.Count == 0 && (_channel.InFlight == 0 || _channel.TryArm());
    }

    /// <summary>Asks for <see cref="RoomMade"/> to be raised once.</summary>
    public void WantRoom() => Interlocked.Exchange(ref _wantsRoom, true);

    /// <summary>Whether sets of cold records wait for memory.</summary>
    public bool AwaitsRoom => _roomWaits > 0;

    /// <summary>An empty set of cold records.</summary>
    public ColdReadSet RentSet() => Sets.Rent();

    /// <inheritdoc/>
    /// <remarks>The turn began with the completions; the descriptor only had to end the wait.</remarks>
    public void OnEvents(uint mask)
    {
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _channel.Dispose();
        _awaited?.Dispose();
        ReadPool.Dispose();
    }

    /// <summary>A set of cold records begins to wait for memory.</summary>
    internal void BeginRoomWait()
    {
        _roomWaits++;
        WantRoom();
        if (Worker != null)
        {
            Worker.TickMs = Math.Min(Worker.TickMs, Limits.RoomTickMs); // Of what becomes free by itself nobody tells.
        }
    }

    /// <summary>It waits no more.</summary>
    internal void EndRoomWait() => _roomWaits--;

    /// <summary>Begins a task, or goes on with one that waited, with the next turn.</summary>
    internal void Add(ShardTask task) => _tasks.Enqueue(task);

    /// <summary>Lets go of pages that are on the device, so that memory which is about to be taken fits, as far as that
    /// does not take long. No lease may be held.</summary>
    internal void LetGo(long bytes)
    {
        var shards = Tier.Shards;
        var refusals = 0;
        for (var pages = 0; pages < Limits.PagesLetGoPerGrant && Budget.WouldExceed(bytes); pages++)
        {
            _nextToLetGo = (_nextToLetGo + 1) % shards.Length;
            refusals = TryLetGo(shards[_nextToLetGo]) ? 0 : refusals + 1;
            if (refusals == shards.Length)
            {
                return;
            }
        }
    }

    /// <summary>From here on until <see cref="EndAwaitingReads"/> the reads that are begun are those that the caller
    /// waits for.</summary>
    /// <exception cref="DeviceException">The kernel gives no more queues.</exception>
    internal void BeginAwaitingReads()
    {
        _awaited ??= new DeviceChannel(
            Tier.Device, Limits.AwaitedReads, _onFault, ColdRead.BufferBytes, Latencies);
        _awaitsReads = true;
    }

    /// <summary>Waits, on the thread, until one of them has ended.</summary>
    internal void AwaitRead()
    {
        _awaited!.Submit();
        _ = _awaited.Complete(least: 1);
    }

    internal void EndAwaitingReads() => _awaitsReads = false;

    internal void ReadLent(DeviceRequest request, long offset, int bytes)
        => (_awaitsReads ? _awaited! : _channel).ReadLent(request, offset, bytes);

    internal void Read(DeviceRequest request, long offset, byte* buffer, int bytes)
        => (_awaitsReads ? _awaited! : _channel).Read(request, offset, buffer, bytes);

    internal void Write(DeviceRequest request, long offset, byte* buffer, int bytes)
        => _channel.Write(request, offset, buffer, bytes);

    /// <summary>Leaves word that memory was let go. Any thread.</summary>
    internal void NotifyRoom()
    {
        if (Volatile.Read(ref _wantsRoom) && Interlocked.Exchange(ref _wantsRoom, false))
        {
            if (Worker == null)
            {
                RoomMade?.Invoke();
            }
            else
            {
                Worker.PostOnce(_notice);
            }
        }
    }

    private bool TryLetGo(ShardTier shard)
    {
        var store = shard.Store;
        var hold = Tier.LongHold;
        if (!TryUse(store, hold))
        {
            return false;
        }

        try
        {
            return shard.TryGiveUp(Number, NowMs);
        }
        finally
        {
            EndUse(store, hold);
        }
    }

    /// <summary>Makes a step of the task whose turn it is, unless its shard is in use: then in another turn.</summary>
    private void StepTask()
    {
        if (!_tasks.TryDequeue(out var task))
        {
            return;
        }

        var store = task.Store;
        var hold = Tier.LongHold;
        var result = StepResult.More;
        if (Budget.IsFarOver && task.WaitsForRoom(NowMs, Budget.IsAtEnd))
        {
            LetGo(0);
        }
        else if (TryUse(store, hold))
        {
            try
            {
                result = task.Step();
            }
            finally
            {
                EndUse(store, hold);
            }
        }

        if (result == StepResult.More)
        {
            _tasks.Enqueue(task);
        }
        else if (result == StepResult.Done)
        {
            task.OnEnded(this);
        }
    }

    private static bool TryUse(TieredStore store, ILongHold? hold)
        => hold == null ? store.Lease.TryAcquire() : hold.TryUse(store);

    private void EndUse(TieredStore store, ILongHold? hold)
    {
        if (hold == null)
        {
            store.Release(Number, NowMs);
            return;
        }

        try
        {
            store.Settle(Number, NowMs);
        }
        finally
        {
            hold.EndUse(store);
        }
    }

    private sealed class RoomNotice(TierWorker owner) : WorkItem
    {
        /// <inheritdoc/>
        public override void Run(Worker worker) => owner.RoomMade?.Invoke();
    }
}
