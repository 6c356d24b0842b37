using System.Runtime.InteropServices;

namespace Strata.Storage.Interop;

/// <summary>The C library's <c>struct pollfd</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct PollDescriptor
{
    public int Fd;
    public short Events;
    public short Returned;
}
