using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Devices;

/// <summary>Threads write and read segments that another removes all the while: every request ends well or finds
/// nothing, and no file stays open or behind.</summary>
[TestFixture(DeviceBackend.IoUring)]
[TestFixture(DeviceBackend.Libaio)]
[TestFixture(DeviceBackend.Managed)]
internal sealed unsafe class SegmentRemovalStressTests(DeviceBackend backend)
{
    private const int Block = AlignedBuffer.AlignmentBytes;
    private const int Threads = 4;
    private const int Segments = 4;
    private const long SegmentBytes = 1 << 16;
    private const int RoundsPerThread = 400;
    private const int InFlight = 8;

    [Test]
    public void Removal_harms_no_request()
    {
        FileDevices.SkipUnlessRunnable(backend);
        using var directory = new TemporaryDirectory();
        var folder = Path.Combine(directory.Path, "data");
        var device = FileDevices.Open(backend, Path.Combine(folder, "log"), SegmentBytes);
        device.Initialize();
        var results = new List<int>[Threads];
        var owners = Enumerable.Range(0, Threads).Select(number => new Thread(() =>
        {
            results[number] = [];
            Run(device, new Random(number), results[number]);
        })).ToArray();
        foreach (var owner in owners)
        {
            owner.Start();
        }

        var random = new Random(Threads);
        while (owners.Any(owner => owner.IsAlive))
        {
            device.RemoveSegment(random.Next(Segments));
            Thread.SpinWait(random.Next(20_000));
        }

        for (var segment = 0; segment < Segments; segment++)
        {
            device.RemoveSegment(segment);
        }

        device.Dispose();
        foreach (var ofThread in results)
        {
            Assert.That(ofThread, Has.Count.EqualTo(RoundsPerThread * InFlight));
            Assert.That(ofThread.Distinct(), Is.SubsetOf(new[] { Block, -Errno.NoEntry }));
            Assert.That(ofThread, Does.Contain(Block));
        }

        Assert.That(Directory.GetFiles(folder), Is.Empty);
        Assert.That(() => OpenFiles(folder), Is.Empty.After(Patience.Ms, 5));
    }

    private static void Run(FileDevice device, Random random, List<int> results)
    {
        using var memory = new AlignedBuffer(InFlight * Block);
        using var channel = DeviceDriver.OpenChannel(device);
        for (var round = 0; round < RoundsPerThread; round++)
        {
            for (var i = 0; i < InFlight; i++)
            {
                var offset = (random.Next(Segments) * SegmentBytes) + (random.Next((int)SegmentBytes / Block) * Block);
                var request = new TestRequest(results.Add);
                if (random.Next(2) == 0)
                {
                    channel.Write(request, offset, memory.Pointer + (i * Block), Block);
                }
                else
                {
                    channel.Read(request, offset, memory.Pointer + (i * Block), Block);
                }
            }

            channel.Finish();
        }
    }

    private static IEnumerable<string> OpenFiles(string folder) => Directory.GetFiles("/proc/self/fd")
        .Select(path => new FileInfo(path).LinkTarget)
        .OfType<string>()
        .Where(path => path.StartsWith(folder, StringComparison.Ordinal));
}
