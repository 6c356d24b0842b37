using System.Runtime.InteropServices;

namespace Strata.Server.Scripting.Native;

/// <summary>strata_script_options: how a state is opened.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeScriptOptions
{
    public NativeHost Host;
    public NativeBytes RedisVersion;
    public int RedisVersionNumber;
    public int Purpose;
}
