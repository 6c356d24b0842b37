using Microsoft.Win32.SafeHandles;
using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Devices.Files;
using Strata.Storage.Interop;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Devices;

/// <summary>Writes that come before their segment is made, or large enough: the queue's thread never waits for the
/// file system, and goes on with what is ready.</summary>
[TestFixture(DeviceBackend.IoUring)]
[TestFixture(DeviceBackend.Libaio)]
[TestFixture(DeviceBackend.Managed)]
internal sealed unsafe class SegmentWaitTests(DeviceBackend backend)
{
    private const int Block = AlignedBuffer.AlignmentBytes;
    private const long SegmentBytes = 8 * Limits.SegmentGrowthBytes;

    private TemporaryDirectory _directory = null!;
    private AlignedBuffer _buffer = null!;
    private SlowFiles _files = null!;
    private Device _device = null!;
    private DeviceChannel _channel = null!;

    [SetUp]
    public void Open()
    {
        FileDevices.SkipUnlessRunnable(backend);
        _directory = new TemporaryDirectory();
        _buffer = new AlignedBuffer(Block);
        _files = new SlowFiles();
        var path = Path.Combine(_directory.Path, "log");
        _device = new Device(
            new DeviceSettings(path) { Backend = backend, SegmentBytes = SegmentBytes, QueueDepth = 16 }, _files);
        _device.Initialize();
        _channel = DeviceDriver.OpenChannel(_device);
    }

    [TearDown]
    public void Close()
    {
        _files?.Gate.Set();
        _channel?.Dispose();
        _device?.Dispose();
        _buffer?.Dispose();
        _directory?.Dispose();
    }

    [Test]
    public void A_write_waits_for_its_segment_and_its_thread_does_not()
    {
        Assert.That(_channel.Write(SegmentBytes, _buffer), Is.EqualTo(Block));
        _files.Gate.Reset();
        TestRequest[] early = [new(), new(), new()];
        for (var i = 0; i < early.Length; i++)
        {
            _channel.Write(early[i], i * Block, _buffer.Pointer, Block);
        }

        _channel.Submit();
        Assert.That(_channel.Complete(), Is.Zero);
        var other = new TestRequest();
        _channel.Write(other, SegmentBytes + Block, _buffer.Pointer, Block);
        _channel.Submit();
        while (other.Ends == 0)
        {
            _ = _channel.Complete(least: 1);
        }

        Assert.That(early.Select(request => request.Ends), Is.All.Zero);
        Assert.That(_channel.InFlight, Is.EqualTo(early.Length));
        _files.Gate.Set();
        _channel.Finish();
        Assert.That(early.Select(request => request.Result), Is.All.EqualTo(Block));
        Assert.That(_files.Callers, Does.Not.Contain(Environment.CurrentManagedThreadId));
    }

    [Test]
    public void The_owner_is_woken_when_the_segment_is_ready()
    {
        _files.Gate.Reset();
        var request = new TestRequest();
        _channel.Write(request, 0, _buffer.Pointer, Block);
        _channel.Submit();
        Assert.That(_channel.TryArm());
        Assert.That(IsReadable(timeoutMs: 0), Is.False);
        _files.Gate.Set();
        while (request.Ends == 0)
        {
            Assert.That(IsReadable((int)Patience.Ms));
            _ = _channel.Complete();
            _ = _channel.TryArm();
        }

        Assert.That(request.Result, Is.EqualTo(Block));
    }

    [Test]
    public void A_write_behind_what_was_made_waits_likewise()
    {
        Assert.That(_channel.Write(0, _buffer), Is.EqualTo(Block));
        _files.Gate.Reset();
        TestRequest[] requests = [new(), new(), new()];
        long[] offsets = [5 * Limits.SegmentGrowthBytes, SegmentBytes - Block, Block];
        for (var i = 0; i < requests.Length; i++)
        {
            _channel.Write(requests[i], offsets[i], _buffer.Pointer, Block);
        }

        _channel.Submit();
        while (requests[2].Ends == 0)
        {
            _ = _channel.Complete(least: 1);
        }

        Assert.That(requests[0].Ends + requests[1].Ends, Is.Zero, "the file is not made larger yet");
        _files.Gate.Set();
        _channel.Finish();
        Assert.That(requests.Select(request => request.Result), Is.All.EqualTo(Block));
        Assert.That(_device.SizeOf(0), Is.EqualTo(SegmentBytes));
        Assert.That(_files.Callers, Does.Not.Contain(Environment.CurrentManagedThreadId));
    }

    [Test]
    public void What_cannot_be_made_is_the_error_of_all_who_waited_and_tried_again_by_the_next()
    {
        _files.Gate.Reset();
        _files.Errno = Errno.NoSpace;
        TestRequest[] requests = [new(), new()];
        foreach (var request in requests)
        {
            _channel.Write(request, 0, _buffer.Pointer, Block);
        }

        _channel.Submit();
        _files.Gate.Set();
        _channel.Finish();
        Assert.That(requests.Select(request => request.Result), Is.All.EqualTo(-Errno.NoSpace));
        _files.Errno = 0;
        Assert.That(_channel.Write(0, _buffer), Is.EqualTo(Block));
    }

    [Test]
    public void A_device_that_is_disposed_ends_those_who_wait()
    {
        _files.Gate.Reset();
        var request = new TestRequest();
        _channel.Write(request, 0, _buffer.Pointer, Block);
        _channel.Submit();
        var disposal = Task.Run(_device.Dispose);
        while (request.Ends == 0)
        {
            _ = _channel.Complete();
        }

        Assert.That(request.Result, Is.EqualTo(-Errno.Canceled));
        _files.Gate.Set();
        disposal.Wait();
    }

    private bool IsReadable(int timeoutMs)
    {
        var poll = new PollDescriptor { Fd = _channel.CompletionDescriptor, Events = Libc.PollIn };
        return Libc.Poll(&poll, 1, timeoutMs) == 1;
    }

    /// <summary>A device of a backend over files that take as long as the test says.</summary>
    private sealed class Device(DeviceSettings settings, IFileSystem files) : FileDevice(settings, files)
    {
        private protected override FileQueue CreateQueue(SegmentFiles files)
            => Settings.Backend == DeviceBackend.Managed
                ? new RandomAccessQueue(this, files, Settings.QueueDepth)
                : new NativeQueue(this, files, Settings.Backend, Settings.QueueDepth);
    }

    private sealed class SlowFiles : IFileSystem
    {
        private readonly List<int> _callers = [];
        private readonly int _owner = Environment.CurrentManagedThreadId;

        /// <summary>Open while files are made at once.</summary>
        public ManualResetEventSlim Gate { get; } = new(initialState: true);

        /// <summary>What is answered in place of files, unless 0.</summary>
        public int Errno { get; set; }

        /// <summary>The threads that have asked for one, or for a larger one.</summary>
        public IReadOnlyList<int> Callers
        {
            get
            {
                lock (_callers)
                {
                    return [.. _callers];
                }
            }
        }

        public bool IsDirect => false;

        public int ProbeSector(string directory) => ManagedFileSystem.Instance.ProbeSector(directory);

        public int TryOpen(string path, bool create, long reserveBytes, out SafeFileHandle? handle)
        {
            handle = null;
            Wait();
            return Errno != 0 ? Errno : ManagedFileSystem.Instance.TryOpen(path, create, reserveBytes, out handle);
        }

        public int TryGrow(string path, SafeFileHandle handle, long bytes)
        {
            Wait();
            return Errno != 0 ? Errno : ManagedFileSystem.Instance.TryGrow(path, handle, bytes);
        }

        public int Close(SafeFileHandle handle) => ManagedFileSystem.Instance.Close(handle);

        private void Wait()
        {
            lock (_callers)
            {
                _callers.Add(Environment.CurrentManagedThreadId);
            }

            if (Environment.CurrentManagedThreadId != _owner)
            {
                Gate.Wait(); // Who opens the gate must not wait at it: that it has come here is told by Callers.
            }
        }
    }
}
