using NUnit.Framework;
using Strata.Storage.Interop;

namespace Strata.Tests.Storage.Devices;

/// <summary>The simulated device itself: its faults happen, and happen again for the same seed.</summary>
internal sealed unsafe class SimulatedDeviceTests
{
    private const int Bytes = 8 * SimulatedDevice.Sector;

    [Test]
    public void The_same_seed_gives_the_same_history_and_another_a_different_one()
    {
        var first = History(seed: 7);
        Assert.Multiple(() =>
        {
            Assert.That(History(seed: 7), Is.EqualTo(first));
            Assert.That(History(seed: 8), Is.Not.EqualTo(first));
        });
    }

    [Test]
    public void Every_fault_happens_at_its_rate()
    {
        using var device = new SimulatedDevice(seed: 1);
        device.Faults.SetRates(0.2);
        device.Faults.BitFlipRate = 0.2;
        var history = Run(device, requests: 1000);
        Assert.Multiple(() =>
        {
            Assert.That(history.Count(end => end.Result == -Errno.InputOutput), Is.InRange(100, 300));
            Assert.That(device.Counts.NoSpaceErrors, Is.InRange(30, 120));
            Assert.That(device.Counts.ShortReads, Is.InRange(30, 150));
            Assert.That(device.Counts.BitFlips, Is.InRange(30, 150));
            Assert.That(device.Counts.Delays, Is.InRange(120, 280));
            Assert.That(device.Counts.Reorderings, Is.Positive);
            Assert.That(device.Counts.TornSectorsKept, Is.Positive);
            Assert.That(device.Counts.TornSectorsLost, Is.Positive);
            Assert.That(history.Select(end => end.Token), Is.Not.Ordered.And.EquivalentTo(Enumerable.Range(0, 1000)));
        });
    }

    [Test]
    public void A_crash_keeps_any_sectors_of_unfinished_writes_and_all_of_finished_ones()
    {
        var kept = new HashSet<string>();
        for (var seed = 0UL; seed < 40; seed++)
        {
            using var device = new SimulatedDevice(seed);
            using var before = new AlignedBuffer(Bytes);
            using var after = new AlignedBuffer(Bytes);
            before.Span.Fill((byte)'a');
            after.Span.Fill((byte)'b');
            using var channel = DeviceDriver.OpenChannel(device);
            channel.Write(0, before);
            var unfinished = new TestRequest();
            channel.Write(unfinished, 0, after.Pointer, Bytes);
            channel.Submit();
            device.Crash();
            channel.Finish();
            Assert.That(unfinished.Result, Is.EqualTo(-Errno.Canceled));

            using var restarted = DeviceDriver.OpenChannel(device);
            Assert.That(restarted.Read(0, before), Is.EqualTo(Bytes));
            var sectors = before.Span.ToArray().Chunk(SimulatedDevice.Sector).ToList();
            Assert.That(sectors, Has.All.Matches<byte[]>(s => s.All(b => b == s[0]) && s[0] is (byte)'a' or (byte)'b'));
            kept.Add(string.Concat(sectors.Select(s => (char)s[0])));
        }

        Assert.That(kept, Has.Count.GreaterThan(20));
    }

    [Test]
    public void Writes_in_flight_are_ended_when_their_queue_is_disposed()
    {
        using var device = new SimulatedDevice(seed: 1);
        using var buffer = new AlignedBuffer(Bytes).Fill(1);
        using var read = new AlignedBuffer(Bytes);
        using (var channel = DeviceDriver.OpenChannel(device))
        {
            channel.Write(new TestRequest(), 0, buffer.Pointer, Bytes);
            channel.Submit();
        }

        using var again = DeviceDriver.OpenChannel(device);
        Assert.That(again.Read(0, read), Is.EqualTo(Bytes));
        Assert.That(read.Span.SequenceEqual(buffer.Span));
    }

    [Test]
    public void A_full_device_refuses_what_needs_room_until_it_is_healed()
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 16);
        using var buffer = new AlignedBuffer(Bytes).Fill(1);
        using var channel = DeviceDriver.OpenChannel(device);
        Assert.That(channel.Write(0, buffer), Is.EqualTo(Bytes));
        device.FillUp();
        Assert.Multiple(() =>
        {
            Assert.That(channel.Write(Bytes, buffer), Is.EqualTo(-Errno.NoSpace));
            Assert.That(channel.Write(1 << 16, buffer), Is.EqualTo(-Errno.NoSpace));
            Assert.That(channel.Write(0, buffer), Is.EqualTo(Bytes));
            Assert.That(channel.Read(0, buffer), Is.EqualTo(Bytes));
        });
        device.RemoveSegment(0);
        Assert.That(channel.Write(1 << 16, buffer), Is.EqualTo(Bytes), "removing a segment makes room");
        Assert.That(channel.Write(0, buffer), Is.EqualTo(-Errno.NoSpace));
        device.Faults.Heal();
        Assert.That(channel.Write(0, buffer), Is.EqualTo(Bytes));
    }

    [Test]
    public void A_device_that_fails_everything_heals()
    {
        using var device = new SimulatedDevice(seed: 1);
        using var buffer = new AlignedBuffer(Bytes).Fill(1);
        using var channel = DeviceDriver.OpenChannel(device);
        device.Faults.FailEverything(Errno.InputOutput);
        Assert.That(channel.Write(0, buffer), Is.EqualTo(-Errno.InputOutput));
        Assert.That(device.SizeOf(0), Is.Zero);
        Assert.That(channel.Read(0, buffer), Is.EqualTo(-Errno.InputOutput));
        device.Faults.Heal();
        Assert.That(channel.Write(0, buffer), Is.EqualTo(Bytes));
    }

    [Test]
    public void Corruption_is_read_back_as_success()
    {
        using var device = new SimulatedDevice(seed: 1);
        using var buffer = new AlignedBuffer(Bytes).Fill(1);
        using var read = new AlignedBuffer(Bytes);
        using var channel = DeviceDriver.OpenChannel(device);
        channel.Write(0, buffer);
        device.Corrupt(0, 1000, 3);
        Assert.That(channel.Read(0, read), Is.EqualTo(Bytes));
        var different = Enumerable.Range(0, Bytes).Where(i => read.Pointer[i] != buffer.Pointer[i]);
        Assert.That(different, Is.EqualTo(new[] { 1000, 1001, 1002 }));
    }

    private static List<(int Token, int Result)> History(ulong seed)
    {
        using var device = new SimulatedDevice(seed);
        device.Faults.SetRates(0.3);
        return Run(device, requests: 200);
    }

    // Half writes, half reads, ten at a time, at offsets that do not depend on the device's seed.
    private static List<(int Token, int Result)> Run(SimulatedDevice device, int requests)
    {
        var history = new List<(int, int)>();
        var random = new Random(1);
        using var buffer = new AlignedBuffer(Bytes).Fill(2);
        using var channel = DeviceDriver.OpenChannel(device);
        for (var i = 0; i < requests; i++)
        {
            var token = i;
            var request = new TestRequest(result => history.Add((token, result)));
            var offset = random.Next(16) * Bytes;
            if (i % 2 == 0)
            {
                channel.Write(request, offset, buffer.Pointer, Bytes);
            }
            else
            {
                channel.Read(request, offset, buffer.Pointer, Bytes);
            }

            if (i % 10 == 9)
            {
                channel.Submit();
                channel.Complete(least: 5);
            }
        }

        channel.Finish();
        return history;
    }
}
