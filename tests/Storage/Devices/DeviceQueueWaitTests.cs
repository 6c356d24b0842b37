using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Storage.Runtime;
using Strata.Tests.Server.Options;

namespace Strata.Tests.Storage.Devices;

/// <summary>An event loop that sleeps hears of every completion: what would be lost here would hang a server.</summary>
[TestFixture(DeviceBackend.IoUring)]
[TestFixture(DeviceBackend.Libaio)]
[TestFixture(DeviceBackend.Managed)]
internal sealed unsafe class DeviceQueueWaitTests(DeviceBackend backend)
{
    private const int Block = AlignedBuffer.AlignmentBytes;
    private const int Rounds = 3000;
    private const int MostInFlight = 8;
    private const int LostAfterMs = 60_000;
    private const uint EdgeTriggered = 1u << 31;

    [Test]
    public void A_loop_that_arms_before_it_sleeps_misses_nothing()
    {
        FileDevices.SkipUnlessRunnable(backend);
        using var directory = new TemporaryDirectory();
        using var memory = new AlignedBuffer(MostInFlight * Block);
        using var device = FileDevices.Open(backend, Path.Combine(directory.Path, "log"));
        device.Initialize();
        using var channel = DeviceDriver.OpenChannel(device);
        Assert.That(channel.Write(0, memory), Is.EqualTo(memory.Span.Length));
        using var loop = new EpollPoller();
        var slot = loop.Add(channel.CompletionDescriptor, EpollEvents.In | EdgeTriggered, new Ignored());
        var random = new Random(1);
        var sleeps = 0;
        for (var round = 0; round < Rounds; round++)
        {
            var requests = random.Next(1, MostInFlight + 1);
            for (var i = 0; i < requests; i++)
            {
                channel.Read(new TestRequest(), i * Block, memory.Pointer + (i * Block), Block);
            }

            channel.Submit();
            Thread.SpinWait(random.Next(0, 2000)); // The completion comes before, while and after the loop arms.
            sleeps += SleepUntilIdle(channel, loop);
        }

        Assert.That(sleeps, Is.Positive, "at least once it had to wait");
        loop.Remove(slot, channel.CompletionDescriptor);
    }

    private static int SleepUntilIdle(DeviceChannel channel, EpollPoller loop)
    {
        var sleeps = 0;
        while (true)
        {
            channel.Complete();
            if (channel.IsIdle)
            {
                return sleeps;
            }

            if (!channel.TryArm())
            {
                continue;
            }

            sleeps++;
            var started = Environment.TickCount64;
            loop.Dispatch(loop.Wait(LostAfterMs));
            Assert.That(Environment.TickCount64 - started, Is.LessThan(LostAfterMs), "the completion was told of");
        }
    }

    private sealed class Ignored : IEventHandler
    {
        public void OnEvents(uint mask)
        {
            // The loop looks at the queue after every wait.
        }
    }
}
