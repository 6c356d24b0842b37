using Strata.Storage.Memory;

namespace Strata.Storage.Runtime;

/// <summary>
/// One thread with one event loop (rule 1 of the architecture): it waits in one place for its sockets and its inbox,
/// and its timer rides on the wait's timeout. Nothing that runs on it blocks. The thread does no more than call
/// <see cref="Turn"/>: without <see cref="Start"/>, several workers can take turns on one thread.
/// </summary>
public sealed class Worker : IDisposable
{
    private readonly Quiescence _quiescence;
    private readonly IWorkerDuties _duties;
    private readonly TimeProvider _clock;
    private readonly Thread _thread;
    private readonly WorkQueue _inbox = new();
    // Items taken from the inbox: those the turn has come to, and those a turn within it has left.
    private WorkItem? _taken;
    private WorkItem? _left;
    private WorkItem? _lastLeft;
    private bool _waiting;
    private bool _stopping;
    private int _tickMs = 100;
    private long _lastTickMs;

    /// <summary>A worker that does not run yet.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="quiescence">Whom it tells when it reads nothing.</param>
    /// <param name="duties">What it does besides.</param>
    /// <param name="platform">Its clock and poller.</param>
    /// <param name="name">The thread's name; null for one made of the number.</param>
    /// <exception cref="IOException">No file descriptors are to be had.</exception>
    public Worker(
        int number, Quiescence quiescence, IWorkerDuties duties, Platform platform, string? name = null)
    {
        Number = number;
        _quiescence = quiescence;
        _duties = duties;
        _clock = platform.Clock;
        Poller = platform.CreatePoller();
        UpdateClock();
        _lastTickMs = NowMs;
        _thread = new Thread(Run) { Name = name ?? $"worker-{number}", IsBackground = true };
    }

    /// <summary>0 to the number of workers - 1.</summary>
    public int Number { get; }

    /// <summary>The worker's descriptors; only for code that runs on it.</summary>
    public IPoller Poller { get; }

    /// <summary>Wall clock at the start of the turn, milliseconds since 1970.</summary>
    public long NowMs { get; private set; }

    /// <summary>When the worker must begin a turn if nothing else makes it, milliseconds since 1970. Set on its thread.
    /// </summary>
    public long AlarmMs { get; set; } = long.MaxValue;

    /// <summary>Events that the turn's wait has brought.</summary>
    public int Ready { get; private set; }

    /// <summary>Turns of the loop so far; any thread may read it.</summary>
    public long Turns { get; private set; }

    /// <summary>Time spent in turns so far, without waiting, in ticks of <see cref="System.Diagnostics.Stopwatch"/>;
    /// any thread may read it.</summary>
    public long TurnTicks { get; private set; }

    /// <summary>What of that was spent on ticks, in the same; any thread may read it.</summary>
    public long TickTicks { get; private set; }

    /// <summary>Events handled so far; any thread may read it.</summary>
    public long Events { get; private set; }

    /// <summary>Items taken from the inbox so far; any thread may read it.</summary>
    public long InboxItems { get; private set; }

    /// <summary>Milliseconds between two ticks.</summary>
    public int TickMs
    {
        get => Volatile.Read(ref _tickMs);
        set => Volatile.Write(ref _tickMs, value);
    }

    /// <summary>Starts the thread.</summary>
    /// <exception cref="OutOfMemoryException">No thread is to be had.</exception>
    public void Start() => _thread.Start();

    /// <summary>Leaves an item for the worker and wakes it if it waits. Any thread.</summary>
    public void Post(WorkItem item) => WakeIf(_inbox.Add(item));

    /// <summary>The same, unless the item is on its way already: then the worker has yet to run it.</summary>
    public void PostOnce(WorkItem item) => WakeIf(_inbox.AddOnce(item));

    /// <summary>One turn: what is to be done before a wait, the wait, the events it brought, the inbox, and the tick
    /// when it is due. On the worker's thread, or, if it was not started, on the one that stands in for it.</summary>
    public void Turn()
    {
        var ready = WaitForEvents();
        var started = _clock.GetTimestamp();
        UpdateClock(); // Last before there is input: what comes with it must not be older than the time it meets.
        Turns++;
        Events += ready;
        Ready = ready;
        try
        {
            _duties.OnTurn(this);
            Poller.Dispatch(ready);
            _duties.OnHandled(this);
            DrainInbox();
            Tick();
            _duties.OnHandled(this);
        }
        catch (Exception exception)
        {
            _duties.OnFault(this, exception);
        }

        TurnTicks += _clock.GetTimestamp() - started;
    }

    /// <summary>A turn in the midst of a handler's work that takes long: what need not wait for its end, without ticks
    /// and without waiting. That handler gets no events, and the others must not touch what it uses.</summary>
    public void TurnWithin(IEventHandler executing)
    {
        try
        {
            _duties.OnHandled(this);
            var taken = _taken;
            _taken = null;
            RunWithin(taken, executing);
            RunWithin(_inbox.TakeAll(), executing);
            Events += Poller.DispatchWithin(executing);
            _duties.OnHandled(this);
        }
        catch (Exception exception)
        {
            _duties.OnFault(this, exception);
        }
    }

    /// <summary>Reads the clock again, in the midst of a turn.</summary>
    public void UpdateClock() => NowMs = _clock.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Asks the worker to end after its turn.</summary>
    public void Stop()
    {
        Volatile.Write(ref _stopping, true);
        Poller.Wake();
    }

    /// <summary>Waits for the thread's end.</summary>
    /// <returns>False when it did not end in time.</returns>
    public bool Join(TimeSpan timeout) => _thread.Join(timeout);

    /// <inheritdoc/>
    public void Dispose() => Poller.Dispose();

    /// <summary>Wakes the worker if it waits, after an item was added to its empty inbox.</summary>
    private void WakeIf(bool wasEmpty)
    {
        if (wasEmpty && Volatile.Read(ref _waiting))
        {
            Poller.Wake();
        }
    }

    private void Run()
    {
        UpdateClock();
        _lastTickMs = NowMs;
        while (!Volatile.Read(ref _stopping))
        {
            Turn();
        }

        _quiescence.EndReads(Number);
    }

    private int WaitForEvents()
    {
        var isIdle = PrepareWait();
        _quiescence.EndReads(Number);

        // Whoever posts reads the flag after its item is in the queue; the fence makes one of the two see the other.
        Interlocked.Exchange(ref _waiting, true);
        var timeoutMs = isIdle && _inbox.IsEmpty && _left == null
            ? (int)Math.Clamp(Math.Min(_lastTickMs + TickMs, AlarmMs) - NowMs, 0, TickMs)
            : 0;
        var ready = Poller.Wait(timeoutMs);
        Volatile.Write(ref _waiting, false);
        return ready;
    }

    private bool PrepareWait()
    {
        try
        {
            return _duties.OnWait(this);
        }
        catch (Exception exception)
        {
            _duties.OnFault(this, exception);
            return true;
        }
    }

    private void DrainInbox()
    {
        if (_left != null)
        {
            _taken = _left;
            _left = null;
            RunTaken();
        }

        _taken = _inbox.TakeAll();
        RunTaken();
    }

    private void RunTaken()
    {
        while (_taken is { } item)
        {
            _taken = item.Unlink();
            InboxItems++;
            item.Run(this);
        }
    }

    /// <summary>Runs the items that may be run now, and leaves the others for the next turn, in their order.</summary>
    private void RunWithin(WorkItem? items, IEventHandler executing)
    {
        while (items is { } item)
        {
            if (item.MayRunWithin(executing))
            {
                items = item.Unlink();
                InboxItems++;
                item.Run(this);
                continue;
            }

            items = item.Next;
            item.Next = null; // It stays queued.
            if (_left == null)
            {
                _left = item;
            }
            else
            {
                _lastLeft!.Next = item;
            }

            _lastLeft = item;
        }
    }

    private void Tick()
    {
        var elapsedMs = NowMs - _lastTickMs;
        if (elapsedMs >= TickMs || elapsedMs < 0)
        {
            _lastTickMs = NowMs;
            var started = _clock.GetTimestamp();
            _duties.OnTick(this, elapsedMs);
            TickTicks += _clock.GetTimestamp() - started;
        }
    }
}
