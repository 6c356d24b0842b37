using System.Runtime.InteropServices;

namespace Strata.Storage.Devices.Native;

/// <summary>The functions of libstrata_device (native/include/device.h tells what they do). Those that make no system
/// call are called without telling the garbage collector. <see cref="LibraryLoader"/> must have loaded it.</summary>
internal static unsafe partial class DeviceLibrary
{
    public const string Name = "strata_device";

    [LibraryImport(Name, EntryPoint = "strata_device_handshake")]
    public static partial int Handshake(NativeLayout* caller, NativeLayout* library);

    [LibraryImport(Name, EntryPoint = "strata_storage_probe", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int ProbeStorage(string directory, NativeStorage* storage, int* error);

    [LibraryImport(Name, EntryPoint = "strata_file_open", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int OpenFile(string path, uint flags, long reserveBytes, int* fd, int* error);

    [LibraryImport(Name, EntryPoint = "strata_file_close")]
    public static partial int CloseFile(int fd, int* error);

    [LibraryImport(Name, EntryPoint = "strata_queue_open")]
    public static partial int OpenQueue(NativeQueueOptions* options, nint* queue, int* error);

    [LibraryImport(Name, EntryPoint = "strata_queue_register")]
    public static partial int Register(nint queue, byte* memory, ulong bytes, int* error);

    [SuppressGCTransition]
    [LibraryImport(Name, EntryPoint = "strata_queue_read")]
    public static partial int Read(nint queue, int fd, ulong offset, byte* buffer, uint bytes, ulong token);

    [SuppressGCTransition]
    [LibraryImport(Name, EntryPoint = "strata_queue_write")]
    public static partial int Write(nint queue, int fd, ulong offset, byte* buffer, uint bytes, ulong token);

    [LibraryImport(Name, EntryPoint = "strata_queue_submit")]
    public static partial int Submit(nint queue);

    [LibraryImport(Name, EntryPoint = "strata_queue_reap")]
    public static partial int Reap(
        nint queue, DeviceCompletion* completions, uint capacity, uint least, uint* reaped, int* error);

    [SuppressGCTransition]
    [LibraryImport(Name, EntryPoint = "strata_queue_is_ready")]
    public static partial int IsReady(nint queue);

    [SuppressGCTransition]
    [LibraryImport(Name, EntryPoint = "strata_queue_arm")]
    public static partial int Arm(nint queue);

    [SuppressGCTransition]
    [LibraryImport(Name, EntryPoint = "strata_queue_descriptor")]
    public static partial int Descriptor(nint queue);

    [SuppressGCTransition]
    [LibraryImport(Name, EntryPoint = "strata_queue_flags")]
    public static partial uint Flags(nint queue);

    [LibraryImport(Name, EntryPoint = "strata_queue_stop")]
    public static partial int StopQueue(nint queue);

    [LibraryImport(Name, EntryPoint = "strata_queue_close")]
    public static partial int CloseQueue(nint queue);
}
