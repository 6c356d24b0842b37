using System.Reflection;
using System.Runtime.InteropServices;
using Strata.Server.Resp;

namespace Strata.Server.Scripting.Native;

/// <summary>Loads libstrata_script from beside the program, once, and makes sure that it speaks this version.</summary>
internal static class ScriptLibraryLoader
{
    private const string FileName = "lib" + ScriptLibrary.Name + ".so";

    private static readonly Lazy<string?> s_problem = new(Load);
    private static nint s_library;

    /// <summary>Why no script can be executed, with the remedy; null when they can.</summary>
    public static string? Problem => s_problem.Value;

    private static string? Load()
    {
        var path = Path.Combine(AppContext.BaseDirectory, FileName);
        if (!File.Exists(path))
        {
            return $"the native library is missing at '{path}': put the one of the same build there";
        }

        try
        {
            s_library = NativeLibrary.Load(path);
            NativeLibrary.SetDllImportResolver(typeof(ScriptLibraryLoader).Assembly, Resolve);
            return Compare(path);
        }
        catch (Exception exception)
            when (exception is DllNotFoundException or BadImageFormatException or EntryPointNotFoundException)
        {
            return $"the native library does not load ({exception.Message}): build it on this system with ./build.sh";
        }
    }

    private static unsafe string? Compare(string path)
    {
        var sizes = stackalloc uint[]
        {
            (uint)sizeof(NativeBytes), (uint)sizeof(Argument), (uint)sizeof(NativeHost),
            (uint)sizeof(NativeScriptOptions), (uint)sizeof(NativeScriptRun), (uint)sizeof(NativeScriptError),
        };
        return ScriptLibrary.Handshake(ScriptLibrary.AbiVersion, sizes, 6) switch
        {
            ScriptStatus.Ok => null,
            ScriptStatus.EVersion => $"'{path}' is of another version of the interface than the program: install both "
                + "from the same build",
            var status => $"'{path}' has structures of other sizes than the program (status {status}): install both "
                + "from the same build",
        };
    }

    // A resolver answers for all native libraries of the assembly: 0 leaves the others to the runtime.
    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? searchPath)
        => name == ScriptLibrary.Name ? s_library : 0;
}
