using System.Runtime.InteropServices;
using Strata.Server.Resp;

namespace Strata.Server.Scripting.Native;

/// <summary>strata_script_host: what a state asks of its owner.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeHost
{
    public void* Owner;
    public delegate* unmanaged[Cdecl]<void*, int, byte*, Argument*, int, NativeBytes*, int> Call;
    public delegate* unmanaged[Cdecl]<void*, int, long, byte*, long, int> Tell;
    public delegate* unmanaged[Cdecl]<void*, long, int> Charge;
    public delegate* unmanaged[Cdecl]<void*, int> Interrupt;
}
