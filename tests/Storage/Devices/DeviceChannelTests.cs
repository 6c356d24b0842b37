using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Devices;

/// <summary>The channel over a simulated device, whose completions come one turn after the submit.</summary>
internal sealed unsafe class DeviceChannelTests
{
    private const int Bytes = SimulatedDevice.Sector;

    private SimulatedDevice _device = null!;
    private AlignedBuffer _buffer = null!;

    [SetUp]
    public void SetUp()
    {
        _device = new SimulatedDevice(seed: 1);
        _buffer = new AlignedBuffer(Bytes).Fill(1);
    }

    [TearDown]
    public void TearDown()
    {
        _device.Dispose();
        _buffer.Dispose();
    }

    [Test]
    public void Nothing_starts_before_submit()
    {
        using var channel = DeviceDriver.OpenChannel(_device);
        var request = new TestRequest();
        Write(channel, request);
        Assert.That(_device.Counts.Submits, Is.Zero);
        channel.Submit();
        channel.Submit();
        Assert.That(_device.Counts.Submits, Is.EqualTo(1), "and nothing is submitted twice");
        Assert.That(channel.Complete(), Is.EqualTo(1));
        Assert.That((request.Ends, request.Result, channel.IsIdle), Is.EqualTo((1, Bytes, true)));
    }

    [Test]
    public void The_queue_is_not_asked_while_nothing_is_under_way()
    {
        using var channel = DeviceDriver.OpenChannel(_device);
        Assert.That((channel.Complete(), _device.Counts.Reaps), Is.EqualTo((0, 0)));
        Write(channel, new TestRequest());
        channel.Submit();
        Assert.That((channel.Complete(least: 1), _device.Counts.Reaps), Is.EqualTo((1, 1)));
        Assert.That((channel.Complete(), _device.Counts.Reaps), Is.EqualTo((0, 1)));
    }

    [Test]
    public void No_more_are_in_flight_than_the_throttle_allows_and_the_others_start_in_order()
    {
        const int Requests = 20;
        const int Limit = 3;
        using var channel = DeviceDriver.OpenChannel(_device, Limit);
        var ends = new List<int>();
        for (var i = 0; i < Requests; i++)
        {
            var number = i;
            Write(channel, new TestRequest(_ => ends.Add(number)));
            Assert.That(channel.InFlight, Is.EqualTo(Math.Min(i + 1, Limit)));
            Assert.That(channel.Waiting, Is.EqualTo(Math.Max(0, i + 1 - Limit)));
        }

        channel.Submit();
        for (var turn = 1; !channel.IsIdle; turn++)
        {
            Assert.That(channel.Complete(least: 1), Is.EqualTo(Math.Min(Limit, Requests - ((turn - 1) * Limit))));
            Assert.That(channel.InFlight, Is.LessThanOrEqualTo(Limit));
        }

        Assert.That(ends, Is.EqualTo(Enumerable.Range(0, Requests)));
    }

    [Test]
    public void A_buffer_is_lent_until_the_request_has_seen_it()
    {
        const int Requests = 50;
        const int Limit = 3;
        using var channel = new DeviceChannel(_device, Limit, exception => Assert.Fail(exception.ToString()), Bytes);
        for (var i = 0; i < Requests; i++)
        {
            _buffer.Span.Fill((byte)i);
            channel.Write(new TestRequest(), i * Bytes, _buffer.Pointer, Bytes);
            channel.Finish();
        }

        var seen = new List<byte>();
        for (var i = 0; i < Requests; i++)
        {
            TestRequest request = null!;
            var again = i < Limit; // Some read the next block from within, while they look at theirs.
            request = new TestRequest(_ =>
            {
                if (again)
                {
                    again = false;
                    var buffer = request.Buffer;
                    channel.ReadLent(new TestRequest(), 0, Bytes);
                    channel.Submit();
                    Assert.That(request.Buffer == buffer);
                }

                var bytes = new ReadOnlySpan<byte>(request.Buffer, Bytes);
                Assert.That(bytes.IndexOfAnyExcept(bytes[0]), Is.EqualTo(-1));
                seen.Add(bytes[0]);
            });
            channel.ReadLent(request, i * Bytes, Bytes);
        }

        channel.Finish();
        Assert.That(seen, Is.EqualTo(Enumerable.Range(0, Requests).Select(i => (byte)i)));
    }

    [Test]
    public void The_limit_is_not_above_the_queue_depth()
    {
        using var channel = DeviceDriver.OpenChannel(_device, int.MaxValue);
        for (var i = 0; i <= SimulatedDevice.QueueDepth; i++)
        {
            Write(channel, new TestRequest());
        }

        Assert.That((channel.InFlight, channel.Waiting), Is.EqualTo((SimulatedDevice.QueueDepth, 1)));
    }

    [Test]
    public void What_the_device_takes_is_counted_and_not_the_wait_for_a_place()
    {
        var clock = new ManualClock();
        var latencies = new DeviceLatencies(clock);
        using var channel = new DeviceChannel(
            _device, 1, exception => Assert.Fail(exception.ToString()), latencies: latencies);
        Write(channel, new TestRequest());
        channel.Read(new TestRequest(), 0, _buffer.Pointer, Bytes);
        channel.Submit();
        clock.AdvanceMs(3);
        Assert.That(channel.Complete(least: 1), Is.EqualTo(1), "and the read begins");
        clock.AdvanceMs(1);
        Assert.That(channel.Complete(least: 1), Is.EqualTo(1));
        Assert.That((latencies.Writes.Count, latencies.Writes.Nanoseconds), Is.EqualTo((1, 3_000_000)));
        Assert.That((latencies.Reads.Count, latencies.Reads.Nanoseconds), Is.EqualTo((1, 1_000_000)));
        Assert.That((latencies.Writes.CountBelow(21), latencies.Writes.CountBelow(22)), Is.EqualTo((0, 1)));
    }

    [TestCase(0)]
    [TestCase(-1)]
    public void A_limit_that_lets_nothing_through_is_refused(int limit) =>
        Assert.That(() => DeviceDriver.OpenChannel(_device, limit), Throws.InstanceOf<ArgumentOutOfRangeException>());

    [Test]
    public void A_request_that_throws_loses_no_other()
    {
        var faults = new List<Exception>();
        using var channel = new DeviceChannel(_device, 5, faults.Add);
        var requests = Enumerable.Range(0, 20)
            .Select(i => new TestRequest(_ => throw new InvalidOperationException($"request {i}")))
            .ToList();
        requests.ForEach(request => Write(channel, request));
        channel.Finish();
        Assert.That(requests.Select(request => request.Ends), Has.All.EqualTo(1));
        var expected = Enumerable.Range(0, 20).Select(i => $"request {i}");
        Assert.That(faults.Select(fault => fault.Message), Is.EqualTo(expected));
    }

    [Test]
    public void A_request_may_start_itself_again_and_goes_behind_those_that_wait()
    {
        using var channel = DeviceDriver.OpenChannel(_device, throttleLimit: 1);
        var ends = new List<string>();
        TestRequest again = null!;
        again = new TestRequest(_ =>
        {
            ends.Add("again");
            if (again.Ends < 3)
            {
                Write(channel, again);
            }
        });
        Write(channel, again);
        Write(channel, new TestRequest(_ => ends.Add("other")));
        channel.Finish();
        Assert.That(ends, Is.EqualTo(new[] { "again", "other", "again", "again" }));
    }

    [Test]
    public void What_a_request_starts_is_submitted_by_complete()
    {
        using var channel = DeviceDriver.OpenChannel(_device);
        var second = new TestRequest();
        Write(channel, new TestRequest(_ => Write(channel, second)));
        channel.Submit();
        channel.Complete(least: 1);
        channel.Complete(least: 1);
        Assert.That(second.Ends, Is.EqualTo(1));
    }

    [Test]
    public void Complete_returns_although_every_request_starts_another()
    {
        const int Requests = 200;
        using var device = new MemoryDevice();
        using var channel = DeviceDriver.OpenChannel(device, Requests);
        var requests = new TestRequest[Requests];
        for (var i = 0; i < Requests; i++)
        {
            var number = i;
            requests[i] = new TestRequest(_ => Write(channel, requests[number]));
            Write(channel, requests[i]);
        }

        channel.Submit();
        Assert.That(channel.Complete(), Is.InRange(Requests, 2 * Requests));
        Assert.That(channel.InFlight, Is.EqualTo(Requests));
    }

    [Test]
    public void Complete_waits_for_more_than_it_reaps_at_once()
    {
        const int Requests = 300;
        _device.Faults.DelayRate = 0.5;
        _device.Faults.ReorderRate = 0.5;
        using var channel = DeviceDriver.OpenChannel(_device, Requests);
        var requests = Enumerable.Range(0, Requests).Select(_ => new TestRequest()).ToList();
        requests.ForEach(request => Write(channel, request));
        channel.Submit();
        Assert.That(channel.Complete(least: Requests + 1), Is.EqualTo(Requests));
        Assert.That(requests.Select(request => request.Ends), Has.All.EqualTo(1));
    }

    [Test]
    public void Complete_within_a_request_is_a_fault()
    {
        var faults = new List<Exception>();
        using var channel = new DeviceChannel(_device, 5, faults.Add);
        Write(channel, new TestRequest(_ => channel.Complete()));
        Write(channel, new TestRequest());
        channel.Finish();
        Assert.That(faults, Has.Count.EqualTo(1).And.All.InstanceOf<InvalidOperationException>());
    }

    [Test]
    public void Requests_under_way_are_forgotten_with_the_channel()
    {
        var requests = Enumerable.Range(0, 10).Select(_ => new TestRequest()).ToList();
        using (var channel = DeviceDriver.OpenChannel(_device, throttleLimit: 5))
        {
            requests.ForEach(request => Write(channel, request));
            channel.Submit();
        }

        Assert.That(requests.Select(request => request.Ends), Has.All.Zero);
    }

    private void Write(DeviceChannel channel, TestRequest request) =>
        channel.Write(request, 0, _buffer.Pointer, Bytes);
}
