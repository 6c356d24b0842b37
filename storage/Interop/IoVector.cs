using System.Runtime.InteropServices;

namespace Strata.Storage.Interop;

/// <summary>A stretch of memory of several that one call of the kernel takes (struct iovec; readv(2)).</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct IoVector
{
    /// <summary>The first byte.</summary>
    public byte* Start;

    /// <summary>How many.</summary>
    public nuint Length;

    public IoVector(byte* start, long length)
    {
        Start = start;
        Length = (nuint)length;
    }
}
