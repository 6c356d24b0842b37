using Strata.Storage.Devices;

namespace Strata.Tests.Simulation;

/// <summary>A device that outlives the server that uses it, as a disk does.</summary>
internal sealed class LastingDevice(IDevice device) : IDevice
{
    /// <inheritdoc/>
    public int SectorBytes => device.SectorBytes;

    /// <inheritdoc/>
    public long SegmentBytes => device.SegmentBytes;

    /// <inheritdoc/>
    public void Initialize() => device.Initialize();

    /// <inheritdoc/>
    public long SizeOf(long segment) => device.SizeOf(segment);

    /// <inheritdoc/>
    public IDeviceQueue OpenQueue() => device.OpenQueue();

    /// <inheritdoc/>
    public void PrepareSegment(long segment) => device.PrepareSegment(segment);

    /// <inheritdoc/>
    public void SyncSegment(long segment) => device.SyncSegment(segment);

    /// <inheritdoc/>
    public void RemoveSegment(long segment) => device.RemoveSegment(segment);

    /// <inheritdoc/>
    public void Dispose()
    {
        // The device stays.
    }
}
