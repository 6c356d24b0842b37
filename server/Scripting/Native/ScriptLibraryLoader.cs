using Strata.Server.Resp;
using Strata.Storage.Interop;

namespace Strata.Server.Scripting.Native;

/// <summary>Loads libstrata_script from beside the program, once, and makes sure that it speaks this version.</summary>
internal static class ScriptLibraryLoader
{
    private static readonly LibraryFile s_file = new(ScriptLibrary.Name);
    private static readonly Lazy<string?> s_problem =
        new(() => s_file.Load(typeof(ScriptLibraryLoader).Assembly, Compare));

    /// <summary>Why no script can be executed, with the remedy; null when they can.</summary>
    public static string? Problem => s_problem.Value;

    private static unsafe string? Compare()
    {
        var sizes = stackalloc uint[]
        {
            (uint)sizeof(NativeBytes), (uint)sizeof(Argument), (uint)sizeof(NativeHost),
            (uint)sizeof(NativeScriptOptions), (uint)sizeof(NativeScriptRun), (uint)sizeof(NativeScriptError),
            (uint)sizeof(NativeScriptFunction),
        };
        return ScriptLibrary.Handshake(ScriptLibrary.AbiVersion, sizes, 7) switch
        {
            ScriptStatus.Ok => null,
            ScriptStatus.EVersion => $"'{s_file.Path}' is of another version of the interface than the program: "
                + "install both from the same build",
            var status => $"'{s_file.Path}' has structures of other sizes than the program (status {status}): "
                + "install both from the same build",
        };
    }
}
