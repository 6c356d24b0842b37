using System.Runtime.InteropServices;
using Strata.Server.Resp;

namespace Strata.Server.Scripting.Native;

/// <summary>strata_script_run: what a script is executed with.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeScriptRun
{
    public byte* Bytes;
    public Argument* Keys;
    public Argument* Arguments;
    public int KeyCount;
    public int ArgumentCount;
    public int Protocol;
    public int Reserved;
}
