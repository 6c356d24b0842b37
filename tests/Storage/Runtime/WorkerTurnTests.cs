using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Tests.Storage.Runtime;

/// <summary>A worker without a thread: whoever calls <see cref="Worker.Turn"/> decides when it does what.</summary>
[TestFixture]
internal sealed class WorkerTurnTests : IWorkerDuties, IEventHandler
{
    private readonly List<string> _log = [];
    private ScriptedPlatform _platform = null!;
    private Quiescence _quiescence = null!;
    private Worker _worker = null!;
    private Exception? _thrown;

    [SetUp]
    public void SetUp()
    {
        _log.Clear();
        _thrown = null;
        _platform = new ScriptedPlatform(_log);
        _quiescence = new Quiescence(2);
        _worker = new Worker(0, _quiescence, this, _platform);
    }

    [TearDown]
    public void TearDown()
    {
        _worker.Dispose();
        _quiescence.Dispose();
        _platform.Dispose();
    }

    [Test]
    public void A_turn_waits_then_handles_events_then_the_inbox()
    {
        _worker.Post(new Note(_log, "item"));
        _platform.Poller.Ready = 3;

        _worker.Turn();

        Assert.That(_log, Is.EqualTo(new[] { "prepare", "wait 0", "turn", "dispatch 3", "item" }));
        Assert.That((_worker.Turns, _worker.Events, _worker.InboxItems), Is.EqualTo((1, 3, 1)));
    }

    [Test]
    public void Without_work_it_waits_until_the_tick_or_the_alarm()
    {
        _worker.Turn();
        _worker.AlarmMs = _worker.NowMs + 7;
        _worker.Turn();

        Assert.That(_log.Where(line => line.StartsWith("wait", StringComparison.Ordinal)),
            Is.EqualTo(new[] { "wait 100", "wait 7" }));
    }

    [Test]
    public void Time_is_the_platforms()
    {
        _platform.ManualClock.AdvanceMs(99);
        _worker.Turn();
        _platform.ManualClock.AdvanceMs(1);
        _worker.Turn();

        Assert.That(_worker.NowMs, Is.EqualTo(_platform.ManualClock.NowMs));
        Assert.That(_log.Where(line => line.StartsWith("tick", StringComparison.Ordinal)),
            Is.EqualTo(new[] { "tick 100" }));
    }

    [Test]
    public void Between_two_turns_what_it_has_seen_stays_readable()
    {
        _worker.Turn();
        _quiescence.BeginReads(_worker.Number);
        var stamp = _quiescence.Retire();

        Assert.That(_quiescence.HasPassed(stamp, self: 1), Is.False);
        _worker.Turn();
        Assert.That(_quiescence.HasPassed(stamp, self: 1));
    }

    [Test]
    public void Workers_that_take_turns_on_one_thread_hand_work_to_each_other()
    {
        using var other = new Worker(1, _quiescence, this, _platform);
        other.Post(new Relay(_worker, new Note(_log, "answered")));

        _worker.Turn();
        Assert.That(_log, Does.Not.Contain("answered"));
        other.Turn();
        _worker.Turn();
        Assert.That(_log, Does.Contain("answered"));
    }

    [Test]
    public void In_a_turn_within_another_what_may_not_be_run_waits_in_its_order()
    {
        _worker.Post(new Within(_log, this));
        _worker.Post(new Note(_log, "first"));
        _worker.Post(new Note(_log, "within, taken") { MayBeWithin = true });
        _worker.Post(new Relay(_worker, new Note(_log, "third")) { MayBeWithin = true });
        _worker.Post(new Relay(_worker, new Note(_log, "within, new") { MayBeWithin = true }) { MayBeWithin = true });
        _worker.Post(new Note(_log, "second"));

        _worker.Turn();
        Assert.That(_log, Is.EqualTo(new[]
        {
            "prepare", "wait 0", "turn", "begin", "within, taken", "within, new", "dispatch within", "end",
        }));
        _log.Clear();
        _worker.Post(new Note(_log, "fourth"));

        _worker.Turn();
        Assert.That(_log, Is.EqualTo(new[] { "prepare", "wait 0", "turn", "first", "second", "third", "fourth" }));
        Assert.That(_worker.InboxItems, Is.EqualTo(9));
    }

    [Test]
    public void What_a_turn_within_another_throws_is_a_fault()
    {
        _worker.Post(new Within(_log, this));
        _worker.Post(new Note(null!, "of nobody") { MayBeWithin = true });

        Assert.That(_worker.Turn, Throws.Nothing);
        Assert.That(_log[^2], Does.StartWith("fault"));
        Assert.That(_log[^1], Is.EqualTo("end"));
    }

    [Test]
    public void What_a_turn_throws_is_a_fault()
    {
        _thrown = new InvalidOperationException("of the duties");

        Assert.That(_worker.Turn, Throws.Nothing);
        Assert.That(_log, Does.Contain("fault of the duties"));
    }

    /// <inheritdoc/>
    public void OnTurn(Worker worker)
    {
        _log.Add("turn");
        if (_thrown != null)
        {
            throw _thrown;
        }
    }

    /// <inheritdoc/>
    public bool OnWait(Worker worker)
    {
        _log.Add("prepare");
        return true;
    }

    /// <inheritdoc/>
    public void OnTick(Worker worker, long elapsedMs) => _log.Add($"tick {elapsedMs}");

    /// <inheritdoc/>
    public void OnFault(Worker worker, Exception exception) => _log.Add($"fault {exception.Message}");

    /// <inheritdoc/>
    public void OnEvents(uint mask) => _log.Add("event");

    private sealed class Note(List<string> log, string line) : WorkItem
    {
        public bool MayBeWithin { get; init; }

        /// <inheritdoc/>
        public override bool MayRunWithin(IEventHandler executing) => MayBeWithin;

        /// <inheritdoc/>
        public override void Run(Worker worker) => log.Add(line);
    }

    private sealed class Relay(Worker next, WorkItem item) : WorkItem
    {
        public bool MayBeWithin { get; init; }

        /// <inheritdoc/>
        public override bool MayRunWithin(IEventHandler executing) => MayBeWithin;

        /// <inheritdoc/>
        public override void Run(Worker worker) => next.Post(item);
    }

    private sealed class Within(List<string> log, IEventHandler executing) : WorkItem
    {
        /// <inheritdoc/>
        public override void Run(Worker worker)
        {
            log.Add("begin");
            worker.TurnWithin(executing);
            log.Add("end");
        }
    }
}
