namespace Strata.Storage.Devices.Native;

/// <summary>Asks the kernel this program runs on.</summary>
internal sealed class NativeProbe : INativeProbe
{
    public static NativeProbe Instance { get; } = new();

    /// <inheritdoc/>
    public string? LibraryProblem => LibraryLoader.Problem;

    /// <inheritdoc/>
    public unsafe int TryQueue(DeviceBackend backend, int depth)
    {
        var options = new NativeQueueOptions { Backend = NumberOf(backend), Depth = (uint)depth };
        nint queue;
        int errno;
        var status = DeviceLibrary.OpenQueue(&options, &queue, &errno);
        if (status == NativeConstants.Ok)
        {
            Invariant.Check(DeviceLibrary.CloseQueue(queue) == NativeConstants.Ok, "a queue can be closed");
            return 0;
        }

        Invariant.Check(status == NativeConstants.ESystem, "a probed queue's options are within bounds");
        return errno;
    }

    /// <summary>The library's number of a backend.</summary>
    public static int NumberOf(DeviceBackend backend) => backend switch
    {
        DeviceBackend.IoUring => NativeConstants.BackendIoUring,
        DeviceBackend.Libaio => NativeConstants.BackendLibaio,
        _ => throw new ArgumentException($"{backend} is not a backend of the native library", nameof(backend)),
    };
}
