using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Interop;

/// <summary>An array of struct epoll_event in native memory. The kernel packs the struct to 12 bytes on x86-64 and
/// leaves it naturally aligned (16 bytes) everywhere else, so the layout is chosen when the program starts.</summary>
internal static unsafe class EpollEvents
{
    public const uint In = 0x001;
    public const uint Out = 0x004;
    public const uint Error = 0x008;
    public const uint HangUp = 0x010;
    public const uint EdgeTriggered = 1U << 31;

    /// <summary>Bytes of one event.</summary>
    public static readonly int Size = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : 16;

    private static readonly int s_dataOffset = Size - sizeof(ulong);

    /// <summary>The event mask of entry <paramref name="i"/>.</summary>
    public static uint Mask(byte* events, int i) => Unsafe.ReadUnaligned<uint>(events + i * Size);

    /// <summary>The user data of entry <paramref name="i"/>.</summary>
    public static ulong Data(byte* events, int i) => Unsafe.ReadUnaligned<ulong>(events + i * Size + s_dataOffset);

    /// <summary>Writes entry 0.</summary>
    public static void Set(byte* events, uint mask, ulong data)
    {
        Unsafe.WriteUnaligned(events, mask);
        Unsafe.WriteUnaligned(events + s_dataOffset, data);
    }
}
