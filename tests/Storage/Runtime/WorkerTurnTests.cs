using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Tests.Storage.Runtime;

/// <summary>A worker without a thread: whoever calls <see cref="Worker.Turn"/> decides when it does what.</summary>
[TestFixture]
internal sealed class WorkerTurnTests : IWorkerDuties
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

    private sealed class Note(List<string> log, string line) : WorkItem
    {
        /// <inheritdoc/>
        public override void Run(Worker worker) => log.Add(line);
    }

    private sealed class Relay(Worker next, WorkItem item) : WorkItem
    {
        /// <inheritdoc/>
        public override void Run(Worker worker) => next.Post(item);
    }
}
