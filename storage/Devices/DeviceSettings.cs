namespace Strata.Storage.Devices;

/// <summary>What a device of files is made with.</summary>
/// <param name="Path">The base file: its folder is made if need be. With one unbounded segment it is the file itself,
/// otherwise segment <c>n</c> is <c>Path.n</c>.</param>
public sealed record DeviceSettings(string Path)
{
    /// <summary>Bytes of a segment, a power of two; <see cref="long.MaxValue"/> for one segment without bounds. Files
    /// of a known size are allocated whole when they are made, so that later writes neither extend them nor run out of
    /// space.</summary>
    public long SegmentBytes { get; init; } = long.MaxValue;

    /// <summary>By what to read and write.</summary>
    public DeviceBackend Backend { get; init; } = DeviceBackend.Auto;

    /// <summary>Requests a queue takes at a time, 1 to <see cref="Limits.MaxQueueDepth"/>.</summary>
    public int QueueDepth { get; init; } = Limits.DefaultQueueDepth;

    /// <summary>Told, on any thread, what went wrong behind the scenes: a removed segment's file that cannot be deleted
    /// or closed. Must not throw.</summary>
    public Action<DeviceException>? OnFault { get; init; }
}
