using System.Runtime.InteropServices;

namespace Strata.Server.Scripting.Native;

/// <summary>strata_script_error: why a script has ended otherwise than well.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeScriptError
{
    public NativeBytes Text;
    public NativeBytes Source;
    public long Line;
    public int IsOfCommand;
    public int WantsName;
}
