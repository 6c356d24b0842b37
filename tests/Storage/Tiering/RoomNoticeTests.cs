using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Tiering;

/// <summary>What a worker's loop is told of memory that was let go, while it is busy with something else.</summary>
internal sealed class RoomNoticeTests : IWorkerDuties
{
    private readonly List<Exception> _faults = [];

    [Test]
    public void Word_that_comes_again_before_the_first_was_heard_cuts_nothing_off()
    {
        using var device = new NullDevice(segmentBytes: 1 << 20);
        device.Initialize();
        using var tier = new Tier(device, segmentBits: 20, workers: 1, throttleLimit: 16);
        using var quiescence = new Quiescence(1);
        using var worker = new Worker(0, quiescence, this, Platform.Machine);
        using var mayGoOn = new ManualResetEventSlim();
        using var isOpen = new ManualResetEventSlim();
        using var isDone = new ManualResetEventSlim();
        var rooms = 0;
        TierWorker? room = null;
        worker.Start();
        worker.Post(new Act(() =>
        {
            room = new TierWorker(tier, 0, new MemoryBudget(), worker, _faults.Add);
            room.RoomMade += () => rooms++;
            isOpen.Set();
            mayGoOn.Wait(Patience.Ms);
        }));
        Assert.That(isOpen.Wait(Patience.Ms), Is.True);

        var ran = new List<int>();
        for (var i = 0; i < 3; i++)
        {
            var number = i;
            room!.WantRoom();
            room.NotifyRoom();
            worker.Post(new Act(() => ran.Add(number)));
        }

        worker.Post(new Act(isDone.Set));
        mayGoOn.Set();
        var hasEnded = isDone.Wait(Patience.Ms);
        worker.Stop();
        Assert.That(worker.Join(TimeSpan.FromMilliseconds(Patience.Ms)), Is.True);
        Assert.That(_faults, Is.Empty);
        Assert.That(ran, Is.EqualTo(new[] { 0, 1, 2 }), "what stood between the notices");
        Assert.That(rooms, Is.EqualTo(1), "the one notice was heard");
        Assert.That(hasEnded, Is.True);
    }

    public void OnTurn(Worker worker)
    {
        // There is nothing to do.
    }

    public bool OnWait(Worker worker) => true;

    public void OnTick(Worker worker, long elapsedMs)
    {
        // There is nothing to do.
    }

    public void OnFault(Worker worker, Exception exception) => _faults.Add(exception);

    private sealed class Act(Action action) : WorkItem
    {
        public override void Run(Worker worker) => action();
    }
}
