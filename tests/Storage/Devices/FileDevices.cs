using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Devices.Native;

namespace Strata.Tests.Storage.Devices;

/// <summary>Makes the devices of files under test.</summary>
internal static class FileDevices
{
    /// <summary>Ends the test as skipped, with the reason, where a backend cannot run.</summary>
    public static void SkipUnlessRunnable(DeviceBackend backend)
    {
        if (backend == DeviceBackend.Managed)
        {
            return;
        }

        try
        {
            _ = BackendChoice.Make(backend, 1, NativeProbe.Instance);
        }
        catch (DeviceException exception)
        {
            Assert.Ignore(exception.Message);
        }
    }

    /// <summary>Ends the test as skipped where the native library is not there.</summary>
    public static void SkipUnlessLoaded()
    {
        if (LibraryLoader.Problem is { } problem)
        {
            Assert.Ignore(problem);
        }
    }

    /// <summary>A device that is not initialized yet.</summary>
    public static FileDevice Open(
        DeviceBackend backend, string path, long segmentBytes = long.MaxValue, int depth = 64)
    {
        var settings = new DeviceSettings(path)
        {
            Backend = backend,
            SegmentBytes = segmentBytes,
            QueueDepth = depth,
        };
        return FileDevice.Open(settings, out _);
    }
}
