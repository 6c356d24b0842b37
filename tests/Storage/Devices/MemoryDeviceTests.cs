using System.Diagnostics;
using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Interop;

namespace Strata.Tests.Storage.Devices;

/// <summary>What is special to the memory and null devices: latency, wake-ups, and no allocations. It measures this
/// process's memory.</summary>
[NonParallelizable]
internal sealed unsafe class MemoryDeviceTests
{
    private const int Bytes = 4096;

    [Test]
    public void A_request_takes_at_least_the_latency_however_it_is_awaited([Values] bool waitsInReap)
    {
        const int LatencyUs = 20_000;
        using var device = new MemoryDevice(latencyUs: LatencyUs);
        using var queue = device.OpenQueue();
        using var buffer = new AlignedBuffer(Bytes);
        var completions = new DeviceCompletion[4];
        var start = Stopwatch.GetTimestamp();
        Assert.That(queue.TryWrite(0, buffer.Pointer, Bytes, 1) && queue.TryWrite(Bytes, buffer.Pointer, Bytes, 2));
        queue.Submit();
        Assert.That(queue.Reap(completions), Is.Zero, "nothing ends at once");
        if (!waitsInReap)
        {
            Assert.That(queue.TryArm());
            var descriptor = new PollDescriptor { Fd = queue.CompletionDescriptor, Events = Libc.PollIn };
            Assert.That(Libc.Poll(&descriptor, 1, 10_000), Is.EqualTo(1));
        }

        var count = queue.Reap(completions, waitsInReap ? 2 : 0);
        var elapsedUs = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        Assert.Multiple(() =>
        {
            Assert.That(count, Is.EqualTo(2));
            Assert.That(completions[..2], Is.EqualTo(new DeviceCompletion[] { new(1, Bytes), new(2, Bytes) }));
            Assert.That(elapsedUs, Is.AtLeast(LatencyUs));
        });
    }

    [Test]
    public void Disposing_the_device_ends_a_wait_for_a_minute()
    {
        var device = new MemoryDevice(latencyUs: Limits.MaxSimulatedLatencyUs);
        using var buffer = new AlignedBuffer(Bytes);
        using var submitted = new ManualResetEventSlim();
        var results = new List<int>();
        var waiter = new Thread(() =>
        {
            using var channel = DeviceDriver.OpenChannel(device);
            var request = new TestRequest(results.Add);
            channel.Write(request, 0, buffer.Pointer, Bytes);
            channel.Submit();
            submitted.Set();
            channel.Finish();
            channel.Write(request, 0, buffer.Pointer, Bytes);
            channel.Finish();
        });
        waiter.Start();
        submitted.Wait();
        device.Dispose();
        Assert.That(waiter.Join(TimeSpan.FromSeconds(30)), "the wait has ended");
        Assert.That(results, Is.EqualTo(new[] { Bytes, -Errno.Canceled }));
    }

    [Test]
    public void A_queue_takes_its_depth_and_no_more()
    {
        using var device = new MemoryDevice();
        using var queue = device.OpenQueue();
        using var buffer = new AlignedBuffer(Bytes);
        for (var i = 0; i < queue.Depth; i++)
        {
            Assert.That(queue.TryWrite(0, buffer.Pointer, Bytes, (ulong)i));
        }

        Assert.That(queue.TryWrite(0, buffer.Pointer, Bytes, 0), Is.False);
        Assert.That(queue.TryRead(0, buffer.Pointer, Bytes, 0), Is.False);
        queue.Submit();
        Assert.That(queue.Reap(new DeviceCompletion[3], least: 3), Is.EqualTo(3));
        Assert.That(queue.InFlight, Is.EqualTo(queue.Depth - 3));
        Assert.That(queue.TryRead(0, buffer.Pointer, Bytes, 0));
    }

    [Test]
    public void A_removed_segment_gives_its_memory_back()
    {
        const int SegmentBytes = 64 << 20;
        using var device = new MemoryDevice(SegmentBytes);
        using var buffer = new AlignedBuffer(1 << 20).Fill(1);
        using var channel = DeviceDriver.OpenChannel(device);
        var before = Environment.WorkingSet;
        for (var offset = 0; offset < SegmentBytes; offset += buffer.Span.Length)
        {
            channel.Write(offset, buffer);
        }

        var full = Environment.WorkingSet;
        device.RemoveSegment(0);
        var after = Environment.WorkingSet;
        Assert.Multiple(() =>
        {
            Assert.That(full - before, Is.GreaterThan(SegmentBytes / 2));
            Assert.That(full - after, Is.GreaterThan(SegmentBytes / 2));
        });
    }

    [Test]
    public void Holes_read_as_zeros()
    {
        using var device = new MemoryDevice();
        using var buffer = new AlignedBuffer(Bytes).Fill(1);
        using var channel = DeviceDriver.OpenChannel(device);
        channel.Write(1L << 41, buffer);
        Assert.That(channel.Read(1L << 40, buffer), Is.EqualTo(Bytes));
        Assert.That(buffer.Span.IndexOfAnyExcept((byte)0), Is.EqualTo(-1));
    }

    [Test]
    public void A_null_device_keeps_sizes_and_loses_bytes()
    {
        using var device = new NullDevice(segmentBytes: 1 << 20);
        using var buffer = new AlignedBuffer(Bytes).Fill(1);
        using var channel = DeviceDriver.OpenChannel(device);
        Assert.That(channel.Write((1 << 20) + Bytes, buffer), Is.EqualTo(Bytes));
        Assert.Multiple(() =>
        {
            Assert.That(device.SizeOf(0), Is.Zero);
            Assert.That(device.SizeOf(1), Is.EqualTo(2 * Bytes));
            Assert.That(channel.Read(0, buffer), Is.EqualTo(-Errno.NoEntry));
            Assert.That(channel.Read((1 << 20) + Bytes, buffer), Is.EqualTo(Bytes));
            Assert.That(buffer.Span.IndexOfAnyExcept((byte)0), Is.EqualTo(-1));
        });
    }

    [Test]
    public void Requests_allocate_nothing([Values(0, 1)] int latencyUs)
    {
        using var device = new MemoryDevice(segmentBytes: 1 << 16, latencyUs);
        using var nothing = new NullDevice(segmentBytes: 1 << 16);
        using var buffer = new AlignedBuffer(Bytes);
        using var channel = DeviceDriver.OpenChannel(device);
        using var nowhere = DeviceDriver.OpenChannel(nothing);
        for (var round = 0; round < 3; round++)
        {
            // The first rounds make the segments and let the runtime compile.
            WriteAndRead(channel, buffer);
            WriteAndRead(nowhere, buffer);
        }

        var expected = 2 * RequestBytes();
        var allocated = AllocationMeter.LeastOf(
            () =>
            {
                WriteAndRead(channel, buffer);
                WriteAndRead(nowhere, buffer);
            },
            expected);
        Assert.That(allocated, Is.EqualTo(expected));
    }

    private static void WriteAndRead(DeviceChannel channel, AlignedBuffer buffer)
    {
        var request = new TestRequest();
        for (var offset = 0; offset < 1 << 18; offset += Bytes)
        {
            channel.Write(request, offset, buffer.Pointer, Bytes);
            channel.Finish();
            channel.Read(request, offset, buffer.Pointer, Bytes);
            channel.Submit();
            channel.TryArm();
            channel.Finish();
        }
    }

    // What the request object itself takes, which a caller would pool.
    private static long RequestBytes()
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var request = new TestRequest();
        var bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        GC.KeepAlive(request);
        return bytes;
    }
}
