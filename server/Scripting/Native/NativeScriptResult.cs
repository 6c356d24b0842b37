using System.Runtime.InteropServices;

namespace Strata.Server.Scripting.Native;

/// <summary>Where a run's result is written: what it returns, in RESP, or why it has ended otherwise.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeScriptResult
{
    public NativeBytes Reply;
    public NativeScriptError Error;
}
