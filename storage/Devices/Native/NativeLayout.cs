using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Devices.Native;

/// <summary><c>strata_layout</c>: what program and library must agree on.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeLayout
{
    public uint Version;
    public uint LayoutBytes;
    public uint CompletionBytes;
    public uint CompletionTokenOffset;
    public uint CompletionResultOffset;
    public uint StorageBytes;
    public uint QueueOptionsBytes;
    public uint Reserved;

    /// <summary>The program's side.</summary>
    public static unsafe NativeLayout Ours()
    {
        // A record struct has no fields to take offsets of: its values are looked for instead.
        var completion = new DeviceCompletion(ulong.MaxValue, 0x01020304);
        var bytes = new ReadOnlySpan<byte>(&completion, sizeof(DeviceCompletion));
        return new NativeLayout
        {
            Version = NativeConstants.AbiVersion,
            LayoutBytes = (uint)sizeof(NativeLayout),
            CompletionBytes = (uint)sizeof(DeviceCompletion),
            CompletionTokenOffset = (uint)bytes.IndexOf(Bytes(ulong.MaxValue)),
            CompletionResultOffset = (uint)bytes.IndexOf(Bytes(0x01020304)),
            StorageBytes = (uint)sizeof(NativeStorage),
            QueueOptionsBytes = (uint)sizeof(NativeQueueOptions),
        };
    }

    private static byte[] Bytes<T>(T value)
        where T : unmanaged
    {
        var bytes = new byte[Unsafe.SizeOf<T>()];
        Unsafe.WriteUnaligned(ref bytes[0], value);
        return bytes;
    }
}
