using System.Runtime.InteropServices;

namespace Strata.Storage.Devices.Native;

/// <summary><c>strata_storage</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeStorage
{
    public uint SectorBytes;
    public uint LogicalBytes;
    public uint PhysicalBytes;
    public uint IsDirect;
}
