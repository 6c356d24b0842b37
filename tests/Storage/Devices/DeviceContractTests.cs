using System.Globalization;
using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Storage.Runtime;
using Strata.Tests.Server.Options;

namespace Strata.Tests.Storage.Devices;

/// <summary>What every device promises (<see cref="IDevice"/>, <see cref="IDeviceQueue"/>), held against each of them.
/// Offsets and lengths are in blocks that every device's sector divides.</summary>
[TestFixtureSource(nameof(Cases))]
internal sealed unsafe class DeviceContractTests(DeviceCase kind)
{
    private const int Block = AlignedBuffer.AlignmentBytes;
    private const uint EdgeTriggered = 1U << 31;

    private TemporaryDirectory _directory = null!;
    private IDevice _device = null!;

    public static IEnumerable<TestFixtureData> Cases =>
        DeviceCases.All.Select(kind => new TestFixtureData(kind).SetArgDisplayNames(kind.ToString()));

    [SetUp]
    public void Open()
    {
        kind.SkipUnlessRunnable();
        _directory = new TemporaryDirectory();
        _device = OpenDevice(kind.SegmentBytes);
    }

    [TearDown]
    public void Close()
    {
        _device?.Dispose();
        _directory?.Dispose();
    }

    [Test]
    public void Sectors_are_powers_of_two_that_divide_a_block() =>
        Assert.That(int.IsPow2(_device.SectorBytes) && _device.SectorBytes is >= 512 and <= Block);

    [Test]
    public void Initialize_again_changes_nothing()
    {
        using var written = new AlignedBuffer(Block).Fill(1);
        using var channel = DeviceDriver.OpenChannel(_device);
        channel.Write(0, written);
        var sectorBytes = _device.SectorBytes;
        _device.Initialize();
        Assert.That(_device.SectorBytes, Is.EqualTo(sectorBytes));
        AssertHolds(channel, 0, written);
    }

    [Test]
    public void Sizes_are_known_before_any_request()
    {
        Assert.Multiple(() =>
        {
            Assert.That(_device.SizeOf(0), Is.Zero);
            Assert.That(_device.SizeOf(1000), Is.Zero);
            Assert.That(_device.SegmentBytes, Is.EqualTo(kind.SegmentBytes));
        });
    }

    [Test]
    public void Bytes_of_every_length_come_back()
    {
        using var channel = DeviceDriver.OpenChannel(_device);
        var buffers = new List<(long Offset, AlignedBuffer Buffer)>();
        var offset = 0L;
        for (var blocks = 1; blocks <= 16; blocks++)
        {
            var buffer = new AlignedBuffer(blocks * Block).Fill(blocks);
            Assert.That(channel.Write(offset, buffer), Is.EqualTo(blocks * Block));
            buffers.Add((offset, buffer));
            offset += blocks * Block;
        }

        Assert.That(_device.SizeOf(0), kind.HasSegments ? Is.AtLeast(offset) : Is.EqualTo(offset));
        foreach (var (at, buffer) in buffers)
        {
            AssertHolds(channel, at, buffer);
            buffer.Dispose();
        }
    }

    [Test]
    public void A_single_sector_is_enough_to_be_read_and_written()
    {
        using var channel = DeviceDriver.OpenChannel(_device);
        using var block = new AlignedBuffer(Block).Fill(1);
        using var sector = new AlignedBuffer(_device.SectorBytes).Fill(2);
        channel.Write(0, block);
        var last = Block - _device.SectorBytes;
        Assert.That(channel.Write(last, sector), Is.EqualTo(_device.SectorBytes));
        sector.Span.CopyTo(block.Span[last..]);
        AssertHolds(channel, 0, block);
        AssertHolds(channel, last, sector);
    }

    [Test]
    public void Segments_exist_from_their_first_write()
    {
        const long SegmentBytes = 4 * Block;
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        using var written = new AlignedBuffer(Block);
        foreach (var segment in new[] { 0L, 1, 2, 7, 1L << 20 })
        {
            var last = (segment * SegmentBytes) + SegmentBytes - Block;
            Assert.That(channel.Read(segment * SegmentBytes, written), Is.EqualTo(-Errno.NoEntry));
            Assert.That(device.SizeOf(segment), Is.Zero, "reading makes no segment");
            Assert.That(channel.Write(last, written.Fill((int)segment)), Is.EqualTo(Block));
            Assert.That(device.SizeOf(segment), Is.EqualTo(SegmentBytes));
            AssertHolds(channel, last, written);
        }

        Assert.That(device.SizeOf(3), Is.Zero);
    }

    [Test]
    public void Reads_past_the_end_bring_what_is_there()
    {
        // A segment with bounds may be made whole with its first write.
        using var device = OpenDevice(segmentBytes: long.MaxValue);
        using var channel = DeviceDriver.OpenChannel(device);
        using var written = new AlignedBuffer(3 * Block).Fill(1);
        using var read = new AlignedBuffer(4 * Block);
        Assert.That(channel.Read(0, read), Is.EqualTo(-Errno.NoEntry), "nothing was written yet");
        channel.Write(0, written);
        Assert.Multiple(() =>
        {
            Assert.That(channel.Read(0, read), Is.EqualTo(3 * Block));
            Assert.That(read.Span[..(3 * Block)].SequenceEqual(Expected(written)));
            Assert.That(channel.Read(2 * Block, read), Is.EqualTo(Block));
            Assert.That(channel.Read(3 * Block, read), Is.Zero);
            Assert.That(channel.Read(1000L * Block, read), Is.Zero);
        });
    }

    [Test]
    public void Many_writes_at_once_do_not_mix()
    {
        const int Writes = 32;
        using var channel = DeviceDriver.OpenChannel(_device);
        using var written = new AlignedBuffer(Writes * Block).Fill(1);
        using var read = new AlignedBuffer(Writes * Block);
        var requests = NewRequests(Writes);
        for (var i = 0; i < Writes; i++)
        {
            channel.Write(requests[i], OffsetOf(i), written.Pointer + (i * Block), Block);
        }

        channel.Finish();
        Assert.That(requests.Select(request => request.Result), Has.All.EqualTo(Block));
        for (var i = 0; i < Writes; i++)
        {
            channel.Read(requests[i], OffsetOf(i), read.Pointer + (i * Block), Block);
        }

        channel.Finish();
        Assert.That(requests.Select(request => (request.Result, request.Ends)), Has.All.EqualTo((Block, 2)));
        Assert.That(read.Span.SequenceEqual(Expected(written)));
    }

    [Test]
    public void Bursts_over_the_throttle_all_end([Values(1, 8, 120)] int limit)
    {
        const int Burst = 500;
        using var channel = DeviceDriver.OpenChannel(_device, limit);
        using var written = new AlignedBuffer(Block).Fill(1);
        using var read = new AlignedBuffer(Block);
        for (var round = 0; round < 3; round++)
        {
            var requests = NewRequests(Burst);
            foreach (var request in requests)
            {
                channel.Write(request, OffsetOf(round), written.Pointer, Block);
            }

            Assert.That(channel.InFlight, Is.EqualTo(limit));
            channel.Finish();
            Assert.That(requests.Select(request => (request.Result, request.Ends)), Has.All.EqualTo((Block, 1)));
            AssertHolds(channel, OffsetOf(round), written);
        }
    }

    [Test]
    public void Any_token_comes_back_and_a_full_queue_takes_no_more()
    {
        using var queue = _device.OpenQueue();
        using var buffer = new AlignedBuffer(Block).Fill(1);
        var tokens = new ulong[queue.Depth];
        for (var i = 0; i < tokens.Length; i++)
        {
            tokens[i] = i switch { 0 => 0, 1 => ulong.MaxValue, 2 => 1UL << 63, _ => 3UL * (ulong)i };
            Assert.That(queue.TryWrite(OffsetOf(i % 64), buffer.Pointer, Block, tokens[i]), $"request {i}");
        }

        Assert.Multiple(() =>
        {
            Assert.That(queue.TryWrite(0, buffer.Pointer, Block, 5), Is.False);
            Assert.That(queue.TryRead(0, buffer.Pointer, Block, 5), Is.False);
            Assert.That(queue.InFlight, Is.EqualTo(queue.Depth));
        });
        queue.Submit();
        var ended = Reap(queue, tokens.Length);
        Assert.That(ended.Select(end => end.Token), Is.EquivalentTo(tokens));
        Assert.That(ended.Select(end => end.Result), Has.All.EqualTo(Block));
        Assert.That(queue.InFlight, Is.Zero);
    }

    [Test]
    public void Reap_waits_for_nothing_when_nothing_is_in_flight()
    {
        using var queue = _device.OpenQueue();
        var completions = new DeviceCompletion[8];
        queue.Submit();
        Assert.Multiple(() =>
        {
            Assert.That(queue.Reap(completions), Is.Zero);
            Assert.That(queue.Reap(completions, least: 8), Is.Zero);
            Assert.That(queue.Reap([], least: 8), Is.Zero);
        });
    }

    [Test]
    public void A_request_that_throws_loses_no_other()
    {
        var faults = new List<Exception>();
        using var channel = new DeviceChannel(_device, 4, faults.Add);
        using var buffer = new AlignedBuffer(Block).Fill(1);
        var requests = NewRequests(40, _ => throw new InvalidOperationException("on purpose"));
        foreach (var request in requests)
        {
            channel.Write(request, 0, buffer.Pointer, Block);
        }

        channel.Finish();
        Assert.That(requests.Select(request => (request.Result, request.Ends)), Has.All.EqualTo((Block, 1)));
        Assert.That(faults, Has.Count.EqualTo(40).And.All.Message.EqualTo("on purpose"));
    }

    [Test]
    public void A_request_may_start_and_submit_others()
    {
        using var channel = DeviceDriver.OpenChannel(_device);
        using var buffer = new AlignedBuffer(Block).Fill(1);
        using var read = new AlignedBuffer(Block);
        TestRequest write = null!;
        var readBack = new TestRequest();
        write = new TestRequest(_ =>
        {
            if (write.Ends < 300)
            {
                channel.Write(write, OffsetOf(write.Ends), buffer.Pointer, Block);
            }
            else
            {
                channel.Read(readBack, OffsetOf(299), read.Pointer, Block);
            }

            channel.Submit();
        });
        channel.Write(write, 0, buffer.Pointer, Block);
        channel.Finish();
        Assert.That((write.Result, write.Ends, readBack.Result), Is.EqualTo((Block, 300, Block)));
        Assert.That(read.Span.SequenceEqual(Expected(buffer)));
    }

    [Test]
    public void An_armed_queue_wakes_an_event_loop()
    {
        const int Rounds = 200;
        using var loop = new EpollPoller();
        using var channel = DeviceDriver.OpenChannel(_device);
        using var buffer = new AlignedBuffer(Block).Fill(1);
        var handler = new IgnoredEvents();
        var slot = loop.Add(channel.CompletionDescriptor, EpollEvents.In | EdgeTriggered, handler);
        Assert.That(slot, Is.Not.Negative);
        var request = new TestRequest();
        for (var round = 1; round <= Rounds; round++)
        {
            channel.Write(request, OffsetOf(round % 64), buffer.Pointer, Block);
            channel.Submit();
            while (channel.Complete() == 0)
            {
                if (channel.TryArm())
                {
                    // A signal, and work that the kernel does in this thread's name, end a wait too.
                    var started = Environment.TickCount64;
                    loop.Wait(30_000);
                    Assert.That(Environment.TickCount64 - started, Is.LessThan(30_000),
                        $"round {round}: nothing woke the loop");
                }
            }

            Assert.That((request.Ends, request.Result), Is.EqualTo((round, Block)));
        }

        loop.Remove(slot, channel.CompletionDescriptor);
    }

    [Test]
    public void A_removed_segment_is_read_to_the_end_by_those_who_began()
    {
        const int Reads = 32;
        using var channel = DeviceDriver.OpenChannel(_device);
        using var written = new AlignedBuffer(Reads * Block).Fill(1);
        for (var round = 0; round < 20; round++)
        {
            Assert.That(channel.Write(0, written), Is.EqualTo(Reads * Block), "and it can be written again");
            using var read = new AlignedBuffer(Reads * Block);
            var requests = NewRequests(Reads);
            for (var i = 0; i < Reads; i++)
            {
                channel.Read(requests[i], i * Block, read.Pointer + (i * Block), Block);
            }

            channel.Submit();
            _device.RemoveSegment(0);
            channel.Finish();
            Assert.That(requests.Select(request => request.Result), Has.All.EqualTo(Block));
            Assert.That(read.Span.SequenceEqual(Expected(written)));
            Assert.That(_device.SizeOf(0), Is.Zero);
            Assert.That(channel.Read(0, read), Is.EqualTo(-Errno.NoEntry));
        }

        _device.RemoveSegment(0);
        _device.RemoveSegment(12345);
    }

    [Test]
    public void Random_requests_agree_with_a_model()
    {
        const int Blocks = 64;
        const int Together = 16;
        using var channel = DeviceDriver.OpenChannel(_device);
        using var model = new AlignedBuffer(Blocks * Block).Fill(1);
        using var memory = new AlignedBuffer(Together * Block);
        channel.Write(0, model);
        var random = new Random(2);
        for (var round = 0; round < 200; round++)
        {
            var requests = NewRequests(Together);
            var blocks = Enumerable.Range(0, Blocks).ToArray();
            random.Shuffle(blocks);
            random.NextBytes(memory.Span);
            for (var i = 0; i < Together; i++)
            {
                var slice = memory.Span.Slice(i * Block, Block);
                if (i % 2 == 0)
                {
                    slice.CopyTo(model.Span[(blocks[i] * Block)..]);
                    channel.Write(requests[i], blocks[i] * Block, memory.Pointer + (i * Block), Block);
                }
                else
                {
                    channel.Read(requests[i], blocks[i] * Block, memory.Pointer + (i * Block), Block);
                }
            }

            channel.Finish();
            Assert.That(requests.Select(request => request.Result), Has.All.EqualTo(Block));
            for (var i = 1; i < Together; i += 2)
            {
                var expected = kind.KeepsBytes ? model.Span.Slice(blocks[i] * Block, Block) : new byte[Block];
                Assert.That(memory.Span.Slice(i * Block, Block).SequenceEqual(expected), $"block {blocks[i]}");
            }
        }
    }

    [Test]
    public void Many_threads_with_a_queue_each_do_not_meet()
    {
        const int Threads = 8;
        var failures = new Exception?[Threads];
        var threads = Enumerable.Range(0, Threads).Select(number => new Thread(() =>
        {
            try
            {
                WriteAndReadOwnBlocks(number, Threads);
            }
            catch (Exception exception)
            {
                failures[number] = exception;
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        Assert.That(failures, Has.All.Null);
    }

    private void WriteAndReadOwnBlocks(int number, int threads)
    {
        const int Together = 16;
        using var channel = DeviceDriver.OpenChannel(_device, throttleLimit: 10);
        using var written = new AlignedBuffer(Together * Block);
        using var read = new AlignedBuffer(Together * Block);
        for (var round = 0; round < 30; round++)
        {
            written.Fill((round * threads) + number);
            var requests = NewRequests(Together);
            for (var i = 0; i < Together; i++)
            {
                channel.Write(requests[i], OffsetOf((i * threads) + number), written.Pointer + (i * Block), Block);
            }

            channel.Finish();
            for (var i = 0; i < Together; i++)
            {
                channel.Read(requests[i], OffsetOf((i * threads) + number), read.Pointer + (i * Block), Block);
            }

            channel.Finish();
            Assert.That(requests.Select(request => (request.Result, request.Ends)), Has.All.EqualTo((Block, 2)));
            Assert.That(read.Span.SequenceEqual(Expected(written)));
        }
    }

    private IDevice OpenDevice(long segmentBytes)
    {
        // In a folder of its own, so that devices of different segments do not find each other's files.
        var folder = Path.Combine(_directory.Path, segmentBytes.ToString(CultureInfo.InvariantCulture));
        var device = kind.Open(folder, segmentBytes);
        device.Initialize();
        return device;
    }

    /// <summary>Where block <paramref name="i"/> goes: with segments, a few neighbours to a segment.</summary>
    private long OffsetOf(int i) => kind.HasSegments
        ? (i % 4 * kind.SegmentBytes) + (i / 4 % (kind.SegmentBytes / Block) * Block)
        : (long)i * Block;

    private static TestRequest[] NewRequests(int count, Action<int>? then = null) =>
        Enumerable.Range(0, count).Select(_ => new TestRequest(then)).ToArray();

    private static List<DeviceCompletion> Reap(IDeviceQueue queue, int count)
    {
        var ended = new List<DeviceCompletion>();
        var completions = new DeviceCompletion[16];
        while (ended.Count < count)
        {
            var reaped = queue.Reap(completions, least: 1);
            Assert.That(reaped, Is.Positive);
            ended.AddRange(completions[..reaped]);
        }

        return ended;
    }

    private ReadOnlySpan<byte> Expected(AlignedBuffer written) =>
        kind.KeepsBytes ? written.Span : new byte[written.Span.Length];

    private void AssertHolds(DeviceChannel channel, long offset, AlignedBuffer written)
    {
        using var read = new AlignedBuffer(written.Span.Length).Fill(99);
        Assert.That(channel.Read(offset, read), Is.EqualTo(read.Span.Length));
        Assert.That(read.Span.SequenceEqual(Expected(written)), $"the bytes at {offset}");
    }

    private sealed class IgnoredEvents : IEventHandler
    {
        public void OnEvents(uint mask) => Assert.Fail("nothing dispatches here");
    }
}
