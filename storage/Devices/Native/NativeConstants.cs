namespace Strata.Storage.Devices.Native;

/// <summary>The constants of native/include/device.h, by the same names; a test compares the two.</summary>
internal static class NativeConstants
{
    public const int AbiVersion = 2;

    public const int Ok = 0;
    public const int ESystem = 1;
    public const int EVersion = 2;
    public const int ELayout = 3;
    public const int EArgument = 4;
    public const int EFull = 5;

    public const int BackendIoUring = 1;
    public const int BackendLibaio = 2;

    public const int FileCreate = 1;
    public const int FileBuffered = 2;

    public const int QueueNoDefer = 1;
    public const int QueueNoCoop = 2;
    public const int QueueNoPeek = 4;

    public const int MaxDepth = Limits.MaxQueueDepth;
    public const int MinSectorBytes = Limits.MinSectorBytes;
    public const int MaxRegisteredBytes = 1 << 30;
}
