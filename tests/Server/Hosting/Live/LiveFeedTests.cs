using System.Buffers;
using System.Text;
using NUnit.Framework;
using Strata.Server;
using Strata.Server.Hosting.Live;
using Strata.Server.Lifecycle;

namespace Strata.Tests.Server.Hosting.Live;

/// <summary>Who is told of the figures, how often, and who is not any more.</summary>
internal sealed class LiveFeedTests
{
    private readonly TickingClock _clock = new();
    private readonly List<Exception> _faults = [];
    private int _looks;
    private bool _isBroken;

    [Test]
    public void Nothing_runs_while_no_page_is_open()
    {
        using var feed = Feed();
        Assert.That(_clock.Timers, Is.Zero);
        var stream = feed.TryOpen()!;
        Assert.That((_clock.Timers, _looks), Is.EqualTo((1, 1)));
        feed.Close(stream);
        _clock.Tick();
        Assert.That((_clock.Timers, _looks), Is.EqualTo((0, 1)));
    }

    [Test]
    public async Task One_look_a_second_serves_all_pages()
    {
        using var feed = Feed();
        var first = feed.TryOpen()!;
        var second = feed.TryOpen()!;
        Assert.That(_looks, Is.EqualTo(1), "who comes later sees what is known");
        _clock.Tick();
        _clock.Tick();
        Assert.That(_looks, Is.EqualTo(3));
        feed.End();
        string[] all = ["1", "2", "3"];
        Assert.That(await Read(first), Is.EqualTo(all));
        Assert.That(await Read(second), Is.EqualTo(all));
    }

    [Test]
    public void No_more_pages_than_are_allowed()
    {
        using var feed = Feed();
        var streams = Enumerable.Range(0, ObservationLimits.LiveStreams).Select(_ => feed.TryOpen()!).ToList();
        Assert.That(streams, Has.None.Null);
        Assert.That(feed.TryOpen(), Is.Null);
        feed.Close(streams[0]);
        Assert.That(feed.TryOpen(), Is.Not.Null);
        Assert.That(feed.Count, Is.EqualTo(ObservationLimits.LiveStreams));
    }

    [Test]
    public void Who_does_not_read_is_dropped_and_the_others_go_on()
    {
        using var feed = Feed();
        var slow = feed.TryOpen()!;
        var quick = feed.TryOpen()!;
        var reader = quick.ReadAllAsync(default).GetAsyncEnumerator();
        using var dropped = new ManualResetEventSlim();
        using var told = slow.Dropped.Register(dropped.Set);
        for (var i = 0; i < ObservationLimits.LiveBacklog; i++)
        {
            Assert.That(reader.MoveNextAsync().AsTask().Result);
            Assert.That(slow.Dropped.IsCancellationRequested, Is.False);
            _clock.Tick();
        }

        Assert.That(dropped.Wait(Support.Patience.Ms), "it has as many to read as may wait");
        Assert.That(reader.MoveNextAsync().AsTask().Result);
        Assert.That(quick.Dropped.IsCancellationRequested, Is.False);
    }

    [Test]
    public void With_the_server_all_streams_end_and_none_is_opened()
    {
        using var feed = Feed();
        var stream = feed.TryOpen()!;
        feed.End();
        Assert.That(Read(stream).Result, Has.Count.EqualTo(1));
        Assert.That(feed.TryOpen(), Is.Null);
        Assert.That(_clock.Timers, Is.Zero);
    }

    [Test]
    public void A_look_that_fails_ends_the_streams_and_not_the_process()
    {
        using var feed = Feed();
        var stream = feed.TryOpen()!;
        _isBroken = true;
        _clock.Tick();
        Assert.That(_faults, Has.Count.EqualTo(1));
        Assert.That(Read(stream).Result, Has.Count.EqualTo(1));
        feed.Close(stream);
        _isBroken = false;
        Assert.That(feed.TryOpen(), Is.Not.Null, "the next page tries again");
    }

    private static async Task<List<string>> Read(LiveStream stream)
    {
        List<string> read = [];
        await foreach (var document in stream.ReadAllAsync(default))
        {
            read.Add(Encoding.UTF8.GetString(document));
        }

        return read;
    }

    private LiveFeed Feed() => new(() => new CountingFigures(this), _clock, _faults.Add);

    [SetUp]
    public void Forget()
    {
        _faults.Clear();
        _looks = 0;
        _isBroken = false;
    }

    private sealed class CountingFigures(LiveFeedTests test) : ILiveFigures
    {
        public void Write(IBufferWriter<byte> output)
        {
            if (test._isBroken)
            {
                throw new InvalidOperationException("broken");
            }

            output.Write(Encoding.UTF8.GetBytes($"{++test._looks}"));
        }
    }

    /// <summary>Its timers are due when it is told so.</summary>
    private sealed class TickingClock : TimeProvider
    {
        private readonly List<Timer> _timers = [];

        public int Timers => _timers.Count;

        public void Tick()
        {
            foreach (var timer in _timers.ToList())
            {
                timer.Call();
            }
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            var timer = new Timer(this, () => callback(state));
            _timers.Add(timer);
            return timer;
        }

        private sealed class Timer(TickingClock clock, Action call) : ITimer
        {
            public Action Call => call;

            public bool Change(TimeSpan dueTime, TimeSpan period) => true;

            public void Dispose() => clock._timers.Remove(this);

            public ValueTask DisposeAsync()
            {
                Dispose();
                return default;
            }
        }
    }
}
