using System.Runtime.InteropServices;
using NUnit.Framework;
using Strata.Storage.Devices;

namespace Strata.Tests.Storage.Devices;

/// <summary>What devices of files promise beyond any device: names, sizes and removal of files, errors of opening, and
/// their end. Runs over every backend that this machine has.</summary>
[TestFixture(DeviceBackend.IoUring)]
[TestFixture(DeviceBackend.Libaio)]
[TestFixture(DeviceBackend.Managed)]
internal sealed unsafe class FileDeviceTests(DeviceBackend backend)
{
    private const int Bytes = 4096;
    private const long SegmentBytes = 1 << 20;

    private string _folder = "";
    private byte* _buffer;

    [SetUp]
    public void MakeFolder()
    {
        FileDevices.SkipUnlessRunnable(backend);
        _folder = Path.Combine(Path.GetTempPath(), "strata-devices-" + Guid.NewGuid().ToString("N"));
        _buffer = (byte*)NativeMemory.AlignedAlloc(64 * Bytes, Bytes);
    }

    [TearDown]
    public void RemoveFolder()
    {
        NativeMemory.AlignedFree(_buffer);
        _buffer = null;
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    [Test]
    public void What_is_written_is_read()
    {
        using var device = Open(SegmentBytes);
        using var queue = device.OpenQueue();
        Fill(7);
        Assert.That(Write(queue, (3 * SegmentBytes) + Bytes), Is.EqualTo(Bytes));
        Fill(0);
        Assert.That(Read(queue, (3 * SegmentBytes) + Bytes), Is.EqualTo(Bytes));
        Assert.That(IsFilledWith(7), Is.True);
    }

    private FileDevice Open(long segmentBytes, int depth = 64)
    {
        var device = FileDevices.Open(backend, Path.Combine(_folder, "log"), segmentBytes, depth);
        device.Initialize();
        return device;
    }

    private void Fill(byte value) => new Span<byte>(_buffer, Bytes).Fill(value);

    private bool IsFilledWith(byte value) => !new Span<byte>(_buffer, Bytes).ContainsAnyExcept(value);

    private int Write(IDeviceQueue queue, long offset)
    {
        Assert.That(queue.TryWrite(offset, _buffer, Bytes, 1), Is.True);
        return Finish(queue);
    }

    private int Read(IDeviceQueue queue, long offset)
    {
        Assert.That(queue.TryRead(offset, _buffer, Bytes, 1), Is.True);
        return Finish(queue);
    }

    private static int Finish(IDeviceQueue queue)
    {
        queue.Submit();
        Span<DeviceCompletion> completions = stackalloc DeviceCompletion[1];
        Assert.That(queue.Reap(completions, 1), Is.EqualTo(1));
        Assert.That(completions[0].Token, Is.EqualTo(1));
        return completions[0].Result;
    }
}
