using System.Runtime.InteropServices;

namespace Strata.Server.Scripting.Native;

/// <summary>strata_script_function: a function that a library has registered.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeScriptFunction
{
    public NativeBytes Name;
    public NativeBytes Description;
    public int Function;
    public int Flags;
}
