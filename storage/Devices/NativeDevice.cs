using Strata.Storage.Devices.Files;
using Strata.Storage.Devices.Native;

namespace Strata.Storage.Devices;

/// <summary>Files read and written through the native library, by io_uring or libaio, past the page cache: each queue
/// has a ring or context of its own.</summary>
public sealed class NativeDevice : FileDevice
{
    /// <summary>A device that opens nothing yet.</summary>
    /// <param name="settings">With a backend of the library, <see cref="DeviceBackend.IoUring"/> or <see
    /// cref="DeviceBackend.Libaio"/>.</param>
    /// <exception cref="DeviceException">The library cannot be used; the text names the cause and the remedy.
    /// </exception>
    /// <exception cref="ArgumentException">The settings are outside their bounds.</exception>
    public NativeDevice(DeviceSettings settings)
        : base(settings, new NativeFileSystem())
    {
        _ = NativeProbe.NumberOf(settings.Backend); // Throws for one that is not the library's.
        if (LibraryLoader.Problem is { } problem)
        {
            throw new DeviceException(problem);
        }
    }

    private protected override FileQueue CreateQueue(SegmentFiles files)
        => new NativeQueue(this, files, Settings.Backend, Settings.QueueDepth);
}
