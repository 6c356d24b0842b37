using System.Runtime.InteropServices;

namespace Strata.Storage.Interop;

/// <summary>What glibc tells of its heap, all parts of it together: struct mallinfo2, words in its order.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct HeapInfo
{
    /// <summary>Bytes got from the system by sbrk or its like.</summary>
    public readonly nuint ArenaBytes;
    public readonly nuint FreeChunks;
    public readonly nuint FastChunks;
    public readonly nuint MappedBlocks;
    public readonly nuint MappedBytes;
    public readonly nuint Unused;
    public readonly nuint FastBytes;
    public readonly nuint UsedBytes;

    /// <summary>Bytes of free chunks.</summary>
    public readonly nuint FreeBytes;
    public readonly nuint TopBytes;
}
