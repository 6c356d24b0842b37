namespace Strata.Storage.Devices;

/// <summary>By what a device of files reads and writes.</summary>
public enum DeviceBackend
{
    /// <summary>The first of the others, in their order, that can run here.</summary>
    Auto,

    /// <summary>io_uring, through the native library.</summary>
    IoUring,

    /// <summary>Linux's older asynchronous interface (io_submit), through the native library.</summary>
    Libaio,

    /// <summary>System.IO.RandomAccess on the thread pool: runs everywhere, and costs most.</summary>
    Managed,
}
