using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Devices;

/// <summary>The part of the contract that only devices of files can break: what others do to the files.</summary>
[TestFixtureSource(nameof(Cases))]
internal sealed class DeviceFileContractTests(DeviceCase kind)
{
    private const int Block = AlignedBuffer.AlignmentBytes;

    private TemporaryDirectory _directory = null!;
    private string _folder = "";

    public static IEnumerable<TestFixtureData> Cases => DeviceCases.All
        .Where(kind => kind.Backend != null)
        .Select(kind => new TestFixtureData(kind).SetArgDisplayNames(kind.ToString()));

    [SetUp]
    public void Open()
    {
        kind.SkipUnlessRunnable();
        _directory = new TemporaryDirectory();
        _folder = Path.Combine(_directory.Path, "data");
    }

    [TearDown]
    public void Close() => _directory?.Dispose();

    [Test]
    public void What_was_written_is_there_for_the_next_device()
    {
        using var written = new AlignedBuffer(Block).Fill(1);
        using var read = new AlignedBuffer(Block);
        using (var device = OpenDevice())
        {
            using var channel = DeviceDriver.OpenChannel(device);
            channel.Write(Block, written);
        }

        using var again = OpenDevice();
        Assert.That(again.SizeOf(0), Is.AtLeast(2 * Block), "known before any request");
        using var reader = DeviceDriver.OpenChannel(again);
        Assert.That(reader.Read(Block, read), Is.EqualTo(Block));
        Assert.That(read.Span.SequenceEqual(written.Span));
    }

    [TestCase(1)]
    [TestCase(511)]
    [TestCase(512 + 7)]
    [TestCase(Block + 1000)]
    public void A_file_that_ends_within_a_sector_is_read_to_its_last_byte(int bytes)
    {
        var content = new byte[bytes];
        new Random(1).NextBytes(content);
        Directory.CreateDirectory(_folder);
        File.WriteAllBytes(Path.Combine(_folder, kind.HasSegments ? "log.0" : "log"), content);
        using var device = OpenDevice();
        using var read = new AlignedBuffer(2 * Block);
        using var channel = DeviceDriver.OpenChannel(device);
        Assert.That(device.SizeOf(0), Is.EqualTo(bytes));
        Assert.That(channel.Read(0, read), Is.EqualTo(bytes));
        Assert.That(read.Span[..bytes].SequenceEqual(content));
        Assert.That(channel.Read(2 * Block, read), Is.Zero);
    }

    [Test]
    public void A_folder_that_became_a_file_fails_the_requests_alone()
    {
        using var device = OpenDevice();
        using var channel = DeviceDriver.OpenChannel(device);
        using var buffer = new AlignedBuffer(Block);
        Directory.Delete(_folder);
        File.WriteAllText(_folder, "in the way");
        // To the managed file API a folder that is no folder is one that is not there.
        var errno = kind.Backend == DeviceBackend.Managed ? Errno.NoEntry : Errno.NotADirectory;
        Assert.That(channel.Write(0, buffer), Is.EqualTo(-errno));
        Assert.That(channel.Read(0, buffer), Is.EqualTo(-errno));
        File.Delete(_folder);
        Directory.CreateDirectory(_folder);
        Assert.That(channel.Write(0, buffer), Is.EqualTo(Block), "and the device goes on when it can");
    }

    /// <summary>Files that are written are made by other threads, which here may do everything.</summary>
    [Test]
    public void A_folder_without_permission_fails_the_requests_alone()
    {
        using var buffer = new AlignedBuffer(Block);
        using (var before = OpenDevice())
        {
            using var channel = DeviceDriver.OpenChannel(before);
            Assert.That(channel.Write(0, buffer), Is.EqualTo(Block));
        }

        using var device = OpenDevice();
        File.SetUnixFileMode(_folder, UnixFileMode.UserRead);
        var result = 0;
        var unprivileged = new Thread(() =>
        {
            // Root may do everything: as nobody, for files and this thread alone, it may not.
            Posix.BecomeNobodyForFiles();
            using var channel = DeviceDriver.OpenChannel(device);
            result = channel.Read(0, buffer);
        });
        unprivileged.Start();
        unprivileged.Join();
        File.SetUnixFileMode(_folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        Assert.That(result, Is.EqualTo(-Errno.AccessDenied));
        using var again = DeviceDriver.OpenChannel(device);
        Assert.That(again.Read(0, buffer), Is.EqualTo(Block), "and the device goes on when it can");
        Assert.That(again.Write(0, buffer), Is.EqualTo(Block));
    }

    private IDevice OpenDevice()
    {
        var device = kind.Open(_folder, kind.SegmentBytes);
        device.Initialize();
        return device;
    }
}
