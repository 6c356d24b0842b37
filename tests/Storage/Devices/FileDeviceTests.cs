using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Devices;

/// <summary>What devices of files promise beyond any device: the names, the making and the removal of files.</summary>
[TestFixture(DeviceBackend.IoUring)]
[TestFixture(DeviceBackend.Libaio)]
[TestFixture(DeviceBackend.Managed)]
internal sealed unsafe class FileDeviceTests(DeviceBackend backend)
{
    private const int Block = AlignedBuffer.AlignmentBytes;
    private const int InFlight = 64;
    private const long SegmentBytes = 1 << 20;

    private TemporaryDirectory _directory = null!;
    private AlignedBuffer _buffer = null!;

    private string BasePath => Path.Combine(_directory.Path, "data", "log");

    [SetUp]
    public void Open()
    {
        FileDevices.SkipUnlessRunnable(backend);
        _directory = new TemporaryDirectory();
        _buffer = new AlignedBuffer(Block);
    }

    [TearDown]
    public void Close()
    {
        _buffer?.Dispose();
        _directory?.Dispose();
    }

    [Test]
    public void Segments_of_known_size_are_numbered_and_made_whole()
    {
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        Assert.That(channel.Write((3 * SegmentBytes) + Block, _buffer), Is.EqualTo(Block));
        Assert.That(Files(), Is.EqualTo(new[] { "log.3" }));
        Assert.That(new FileInfo(BasePath + ".3").Length, Is.EqualTo(SegmentBytes));
        Assert.That(device.SizeOf(3), Is.EqualTo(SegmentBytes));
    }

    [Test]
    public void A_large_segment_takes_room_as_it_fills()
    {
        const long Step = Limits.SegmentGrowthBytes;
        using var device = OpenDevice(8 * Step);
        using var channel = DeviceDriver.OpenChannel(device);
        Assert.That(channel.Write(0, _buffer), Is.EqualTo(Block));
        Assert.That(device.SizeOf(0), Is.EqualTo(Step));

        Assert.That(channel.Write(Step - Block, _buffer), Is.EqualTo(Block), "near the end");
        Assert.That(SpinWait.SpinUntil(() => device.SizeOf(0) == 2 * Step, Patience.Ms), "it is made larger meanwhile");

        Assert.That(channel.Write(5 * Step, _buffer), Is.EqualTo(Block), "behind the end");
        Assert.That(device.SizeOf(0), Is.EqualTo(6 * Step));
        Assert.That(channel.Write((8 * Step) - Block, _buffer), Is.EqualTo(Block));
        Assert.That(device.SizeOf(0), Is.EqualTo(8 * Step));
        foreach (var offset in (long[])[0, Step - Block, 5 * Step, (8 * Step) - Block])
        {
            using var read = new AlignedBuffer(Block);
            Assert.That(channel.Read(offset, read), Is.EqualTo(Block));
            Assert.That(read.Span.SequenceEqual(_buffer.Span));
        }
    }

    [Test]
    public void The_unbounded_segment_has_the_bare_name_and_grows()
    {
        using var device = OpenDevice(long.MaxValue);
        using var channel = DeviceDriver.OpenChannel(device);
        Assert.That(channel.Write(2 * Block, _buffer), Is.EqualTo(Block));
        Assert.That(Files(), Is.EqualTo(new[] { "log" }));
        Assert.That(device.SizeOf(0), Is.EqualTo(3 * Block));
    }

    [Test]
    public void An_unbounded_device_has_no_other_segment_to_ask_for_or_remove()
    {
        using var device = OpenDevice(long.MaxValue);
        using var channel = DeviceDriver.OpenChannel(device);
        channel.Write(0, _buffer);
        device.RemoveSegment(1);
        device.RemoveSegment(-1);
        Assert.That(device.SizeOf(1), Is.Zero);
        Assert.That(channel.Read(0, _buffer), Is.EqualTo(Block));
        Assert.That(device.SizeOf(0), Is.EqualTo(Block));
    }

    [Test]
    public void A_segment_that_is_prepared_is_made_by_another_thread()
    {
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        device.PrepareSegment(3);
        Assert.That(() => Files(), Is.EqualTo(new[] { "log.3" }).After(Patience.Ms, 5));
        Assert.That(channel.Write(3 * SegmentBytes, _buffer), Is.EqualTo(Block));
        device.RemoveSegment(3);
        Assert.That(() => Files(), Is.Empty.After(Patience.Ms, 5));
    }

    /// <summary>Whatever comes between: in the end it is there if it was prepared last, and gone with the device.
    /// </summary>
    [Test]
    public void A_segment_may_be_prepared_written_and_removed_at_once()
    {
        using (var device = OpenDevice(SegmentBytes))
        {
            using var channel = DeviceDriver.OpenChannel(device);
            for (var i = 0; i < 200; i++)
            {
                device.PrepareSegment(1);
                if (i % 3 == 0)
                {
                    Assert.That(channel.Write(SegmentBytes, _buffer), Is.EqualTo(Block));
                }

                device.RemoveSegment(1);
            }

            Assert.That(channel.Write(SegmentBytes, _buffer), Is.EqualTo(Block));
            Assert.That(Files(), Is.EqualTo(new[] { "log.1" }));
            device.PrepareSegment(2);
            device.RemoveSegment(1);
        }

        Assert.That(Files(), Is.SubsetOf(new[] { "log.2" }));
        Assert.That(() => DeletedButOpen(), Is.Empty.After(Patience.Ms, 5));
    }

    [Test]
    public void Nobody_else_may_read_the_files()
    {
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        channel.Write(0, _buffer);
        var mode = File.GetUnixFileMode(BasePath + ".0");
        Assert.That(mode, Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
    }

    [Test]
    public void Whether_the_page_cache_is_passed_is_said()
    {
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        channel.Write(0, _buffer);
        const int DirectFlag = 0x4000; // O_DIRECT, 040000 in fdinfo's octal flags.
        var link = Directory.GetFiles("/proc/self/fd").Single(path => new FileInfo(path).LinkTarget == BasePath + ".0");
        var lines = File.ReadLines("/proc/self/fdinfo/" + Path.GetFileName(link));
        var flags = Convert.ToInt32(lines.Single(line => line.StartsWith("flags")).Split('\t')[1], 8);
        Assert.That((flags & DirectFlag) != 0, Is.EqualTo(device.IsDirect));
    }

    [Test]
    public void Reading_makes_no_file()
    {
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        Assert.That(channel.Read(0, _buffer), Is.EqualTo(-Errno.NoEntry));
        Assert.That(Files(), Is.Empty, "neither the read nor the probe leaves one");
    }

    [Test]
    public void A_folder_that_cannot_be_made_is_refused_at_once()
    {
        File.WriteAllText(Path.Combine(_directory.Path, "data"), "in the way");
        using var device = FileDevices.Open(backend, BasePath);
        var refusal = Assert.Throws<DeviceException>(device.Initialize)!;
        Assert.That(refusal.Message, Does.Contain(Path.GetDirectoryName(BasePath)));
    }

    [Test]
    public void Settings_outside_their_bounds_are_refused()
    {
        Assert.That(() => FileDevices.Open(backend, BasePath, 3 << 20), Throws.InstanceOf<ArgumentException>());
        Assert.That(() => FileDevices.Open(backend, BasePath, 256), Throws.InstanceOf<ArgumentException>());
        Assert.That(() => FileDevices.Open(backend, BasePath, depth: 0), Throws.InstanceOf<ArgumentException>());
        Assert.That(() => FileDevices.Open(backend, BasePath, depth: 4097), Throws.InstanceOf<ArgumentException>());
        Assert.That(() => FileDevices.Open(backend, ""), Throws.InstanceOf<ArgumentException>());
    }

    // The file system in memory refuses at once to allocate more than all of it.
    [Test]
    public void A_segment_for_which_there_is_no_room_fails_the_write_alone()
    {
        const string InMemory = "/dev/shm";
        if (!Directory.Exists(InMemory) || new DriveInfo(InMemory).DriveFormat != "tmpfs")
        {
            Assert.Ignore($"no file system in memory at {InMemory}");
        }

        var folder = Path.Combine(InMemory, "strata-test-" + Guid.NewGuid().ToString("N"));
        try
        {
            const long Bytes = 1L << 45;
            using var device = FileDevices.Open(backend, Path.Combine(folder, "log"), Bytes);
            device.Initialize();
            using var channel = DeviceDriver.OpenChannel(device);
            Assert.That(channel.Write(Bytes - Block, _buffer), Is.EqualTo(-Errno.NoSpace));
            Assert.That(Directory.GetFiles(folder), Is.Empty);
            Assert.That(channel.Read(0, _buffer), Is.EqualTo(-Errno.NoEntry));
            Assert.That(channel.Write(0, _buffer), Is.EqualTo(Block), "here is room");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Test]
    public void A_removed_segment_is_gone_for_requests_at_once_and_from_the_disk_soon()
    {
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        channel.Write(0, _buffer);
        channel.Write(SegmentBytes, _buffer);
        device.RemoveSegment(0);
        Assert.That(device.SizeOf(0), Is.Zero);
        Assert.That(channel.Read(0, _buffer), Is.EqualTo(-Errno.NoEntry));
        Assert.That(channel.Read(SegmentBytes, _buffer), Is.EqualTo(Block), "others are none the worse");
        Assert.That(() => Files(), Is.EqualTo(new[] { "log.1" }).After(Patience.Ms, 5));
        Assert.That(() => DeletedButOpen(), Is.Empty.After(Patience.Ms, 5), "its blocks are given back");
    }

    [Test]
    public void A_segment_written_after_its_removal_holds_nothing_of_the_old_one()
    {
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        for (var round = 0; round < 50; round++)
        {
            _buffer.Fill(round);
            Assert.That(channel.Write(0, _buffer), Is.EqualTo(Block));
            device.RemoveSegment(0);
            Assert.That(channel.Write(Block, _buffer), Is.EqualTo(Block));
            Assert.That(channel.Read(0, _buffer), Is.EqualTo(Block));
            Assert.That(_buffer.Span.IndexOfAnyExcept((byte)0), Is.EqualTo(-1), $"round {round}");
        }
    }

    [Test]
    public void Requests_in_flight_on_a_removed_segment_end_as_if_it_were_there()
    {
        using var memory = new AlignedBuffer(InFlight * Block);
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        for (var round = 0; round < 20; round++)
        {
            memory.Fill(round);
            var written = memory.Span.ToArray();
            Assert.That(channel.Write(0, memory), Is.EqualTo(memory.Span.Length));
            memory.Span.Clear();
            var requests = Enumerable.Range(0, InFlight).Select(_ => new TestRequest()).ToArray();
            for (var i = 0; i < InFlight; i++)
            {
                channel.Read(requests[i], i * Block, memory.Pointer + (i * Block), Block);
            }

            channel.Submit();
            device.RemoveSegment(0);
            channel.Finish();
            Assert.That(requests.Select(request => request.Result), Is.All.EqualTo(Block));
            Assert.That(memory.Span.SequenceEqual(written), $"round {round}");
        }

        Assert.That(() => Files(), Is.Empty.After(Patience.Ms, 5));
        Assert.That(() => DeletedButOpen(), Is.Empty.After(Patience.Ms, 5));
    }

    [Test]
    public void What_was_removed_is_deleted_when_the_device_is_disposed()
    {
        using (var device = OpenDevice(SegmentBytes))
        {
            using var channel = DeviceDriver.OpenChannel(device);
            for (var segment = 0; segment < 8; segment++)
            {
                channel.Write(segment * SegmentBytes, _buffer);
            }

            for (var segment = 0; segment < 8; segment++)
            {
                device.RemoveSegment(segment);
            }
        }

        Assert.That(Files(), Is.Empty);
    }

    [Test]
    public void A_file_that_cannot_be_deleted_is_told_and_the_next_write_fails()
    {
        var faults = new List<DeviceException>();
        using var device = FileDevice.Open(
            new DeviceSettings(BasePath) { Backend = backend, SegmentBytes = SegmentBytes, OnFault = Add }, out _);
        device.Initialize();
        using var channel = DeviceDriver.OpenChannel(device);
        Directory.CreateDirectory(BasePath + ".0"); // No file: it cannot be deleted as one.
        device.RemoveSegment(0);
        Assert.That(() => Count(), Is.AtLeast(1).After(Patience.Ms, 5));
        Assert.That(faults[0].Message, Does.Contain(BasePath + ".0"));
        Assert.That(channel.Write(0, _buffer), Is.Negative);
        Assert.That(channel.Read(0, _buffer), Is.EqualTo(-Errno.NoEntry));
        Directory.Delete(BasePath + ".0");
        Assert.That(channel.Write(0, _buffer), Is.EqualTo(Block), "and the device goes on when it can");

        void Add(DeviceException fault)
        {
            lock (faults)
            {
                faults.Add(fault);
            }
        }

        int Count()
        {
            lock (faults)
            {
                return faults.Count;
            }
        }
    }

    [Test]
    public void Files_are_closed_with_the_device()
    {
        using (var device = OpenDevice(SegmentBytes))
        {
            using var channel = DeviceDriver.OpenChannel(device);
            channel.Write(0, _buffer);
            channel.Write(SegmentBytes, _buffer);
            Assert.That(OpenFiles(), Has.Count.EqualTo(2));
        }

        Assert.That(OpenFiles(), Is.Empty);
    }

    [Test]
    public void Requests_allocate_nothing()
    {
        using var device = OpenDevice(SegmentBytes);
        using var channel = DeviceDriver.OpenChannel(device);
        channel.Write(0, _buffer);
        var request = new TestRequest();
        RunReads(channel, request, 2000);
        Assert.That(AllocationMeter.LeastOf(() => RunReads(channel, request, 2000)), Is.Zero);
        Assert.That(request.Result, Is.EqualTo(Block));
    }

    private void RunReads(DeviceChannel channel, TestRequest request, int count)
    {
        for (var i = 0; i < count; i++)
        {
            channel.Read(request, i % 8 * Block, _buffer.Pointer, Block);
            channel.Finish();
        }
    }

    private FileDevice OpenDevice(long segmentBytes)
    {
        var device = FileDevices.Open(backend, BasePath, segmentBytes);
        device.Initialize();
        return device;
    }

    private string[] Files() => [.. Directory.GetFiles(_directory.Path, "*", SearchOption.AllDirectories)
        .Select(path => Path.GetFileName(path)).Order()];

    private List<string> DeletedButOpen() => [.. OpenFiles().Where(path => path.EndsWith("(deleted)"))];

    // What this process has open in the test's folder.
    private List<string> OpenFiles() => [.. Directory.GetFiles("/proc/self/fd")
        .Select(path => new FileInfo(path).LinkTarget)
        .OfType<string>()
        .Where(path => path.StartsWith(_directory.Path, StringComparison.Ordinal))];
}
