namespace Strata.Storage.Devices;

/// <summary>
/// Where sealed log pages go that do not fit into memory: the seam for the tier. A device is a growing range of bytes,
/// read and written in whole sectors at sector-aligned offsets.
/// <para>
/// A device hands each worker a queue of its own (<see cref="OpenQueue"/>), so that nothing is shared: requests are
/// prepared on the queue, go down together in one <see cref="IDeviceQueue.Submit"/>, and complete on the same worker,
/// in any order, through <see cref="IDeviceQueue.Reap"/>. No member throws for an I/O error: it is the request's
/// result. No member blocks.
/// </para>
/// </summary>
public interface IDevice : IDisposable
{
    /// <summary>Bytes that offsets, lengths and buffer addresses must be multiples of; a power of two, at least 512.
    /// </summary>
    int SectorBytes { get; }

    /// <summary>Opens the queue of one worker; call it on that worker's thread.</summary>
    IDeviceQueue OpenQueue();
}
