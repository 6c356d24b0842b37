using System.Runtime.InteropServices;

namespace Strata.Storage.Devices.Native;

/// <summary><c>strata_queue_options</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeQueueOptions
{
    public int Backend;
    public uint Depth;
    public uint Flags;
    public uint Reserved;
}
