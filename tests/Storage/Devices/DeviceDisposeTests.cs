using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Devices;

/// <summary>The part of every device's contract that is about its end: with requests in flight, it comes at once, and
/// nothing touches their memory afterwards.</summary>
[Category(TestCategories.Long)]
[TestFixtureSource(typeof(DeviceContractTests), nameof(DeviceContractTests.Cases))]
internal sealed unsafe class DeviceDisposeTests(DeviceCase kind)
{
    private const int Block = AlignedBuffer.AlignmentBytes;
    private const int Requests = 64;
    private const byte Untouched = 0xEE;

    private TemporaryDirectory _directory = null!;

    [SetUp]
    public void Open()
    {
        kind.SkipUnlessRunnable();
        _directory = new TemporaryDirectory();
    }

    [TearDown]
    public void Close() => _directory?.Dispose();

    [Test]
    public void A_device_and_its_queues_may_be_disposed_twice_and_in_any_order()
    {
        var device = Open(_directory);
        var first = device.OpenQueue();
        var second = device.OpenQueue();
        first.Dispose();
        first.Dispose();
        device.Dispose();
        device.Dispose();
        second.Dispose();
        second.Dispose();
    }

    [Test]
    public void Disposing_the_device_frees_the_memory_of_requests_in_flight()
    {
        for (var round = 0; round < 150; round++)
        {
            using var memory = new AlignedBuffer(Requests * Block);
            var device = Open(_directory);
            var channel = DeviceDriver.OpenChannel(device);
            FillWithReads(channel, memory);
            device.Dispose();
            memory.Span.Fill(Untouched);
            channel.Dispose();
            AssertUntouched(memory, round);
        }
    }

    [Test]
    public void Disposing_a_queue_frees_the_memory_of_its_requests_in_flight()
    {
        using var device = Open(_directory);
        for (var round = 0; round < 150; round++)
        {
            using var memory = new AlignedBuffer(Requests * Block);
            var channel = DeviceDriver.OpenChannel(device);
            FillWithReads(channel, memory);
            channel.Dispose();
            memory.Span.Fill(Untouched);
            AssertUntouched(memory, round);
        }
    }

    [Test]
    public void Queues_of_threads_that_ended_are_disposed_with_the_device()
    {
        for (var round = 0; round < 50; round++)
        {
            using var memory = new AlignedBuffer(Requests * Block);
            var device = Open(_directory);
            DeviceChannel channel = null!;
            var owner = new Thread(() =>
            {
                channel = DeviceDriver.OpenChannel(device);
                FillWithReads(channel, memory);
            });
            owner.Start();
            owner.Join();
            device.Dispose();
            memory.Span.Fill(Untouched);
            channel.Dispose();
            AssertUntouched(memory, round);
        }
    }

    [Test]
    public void Another_thread_may_dispose_the_device_while_requests_run()
    {
        for (var round = 0; round < 150; round++)
        {
            using var memory = new AlignedBuffer(Requests * Block);
            using var isRunning = new ManualResetEventSlim();
            var device = Open(_directory);
            var results = new HashSet<int>();
            var owner = new Thread(() => RunUntilCanceled(device, memory, isRunning, results));
            owner.Start();
            isRunning.Wait();
            Thread.SpinWait(round * 100); // Another moment each time.
            device.Dispose();
            memory.Span.Fill(Untouched);
            owner.Join();
            AssertUntouched(memory, round);
            Assert.That(results, Is.SubsetOf(new[] { Block, -Errno.Canceled }).And.Contains(-Errno.Canceled));
        }
    }

    // Every read that ends starts again, until the device says that it is gone.
    private static void RunUntilCanceled(
        IDevice device, AlignedBuffer memory, ManualResetEventSlim isRunning, HashSet<int> results)
    {
        using var channel = DeviceDriver.OpenChannel(device);
        channel.Write(0, memory);
        for (var i = 0; i < Requests; i++)
        {
            var offset = i * Block;
            TestRequest request = null!;
            request = new TestRequest(result =>
            {
                results.Add(result);
                if (result != -Errno.Canceled)
                {
                    channel.Read(request, offset, memory.Pointer + offset, Block);
                }
            });
            channel.Read(request, offset, memory.Pointer + offset, Block);
        }

        channel.Submit();
        channel.Complete(least: 1);
        isRunning.Set();
        channel.Finish();
    }

    private IDevice Open(TemporaryDirectory directory)
    {
        var device = kind.Open(directory.Path, kind.SegmentBytes);
        device.Initialize();
        return device;
    }

    // Writes whole what it reads, so that the reads in flight at the end are reads of a disk.
    private static void FillWithReads(DeviceChannel channel, AlignedBuffer memory)
    {
        Assert.That(channel.Write(0, memory), Is.EqualTo(Requests * Block));
        for (var i = 0; i < Requests; i++)
        {
            channel.Read(new TestRequest(), i * Block, memory.Pointer + (i * Block), Block);
        }

        channel.Submit();
    }

    private static void AssertUntouched(AlignedBuffer memory, int round)
    {
        Thread.Sleep(1); // Longer than the reads would take.
        Assert.That(memory.Span.IndexOfAnyExcept(Untouched), Is.EqualTo(-1), $"round {round}");
    }
}
