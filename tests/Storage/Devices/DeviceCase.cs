using Strata.Storage.Devices;

namespace Strata.Tests.Storage.Devices;

/// <summary>A kind of device that the contract is held against.</summary>
/// <param name="Name">Stands in the tests' names.</param>
/// <param name="SegmentBytes">Bytes of a segment, or <see cref="long.MaxValue"/>.</param>
/// <param name="Open">Makes a device in a folder, which only devices of files use.</param>
internal sealed record DeviceCase(string Name, long SegmentBytes, Func<string, long, IDevice> Open)
{
    /// <summary>Whether what is written can be read again; else zeros are read.</summary>
    public bool KeepsBytes { get; init; } = true;

    /// <summary>By what it reads and writes files, or null when its segments are no files.</summary>
    public DeviceBackend? Backend { get; init; }

    public bool HasSegments => SegmentBytes != long.MaxValue;

    /// <summary>Ends the test as skipped, with the reason, where the device cannot run.</summary>
    public void SkipUnlessRunnable()
    {
        if (Backend is { } backend)
        {
            FileDevices.SkipUnlessRunnable(backend);
        }
    }

    public override string ToString() => Name + (HasSegments ? ", segments" : ", unbounded");
}
