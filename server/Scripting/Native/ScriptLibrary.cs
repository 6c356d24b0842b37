using System.Runtime.InteropServices;

namespace Strata.Server.Scripting.Native;

/// <summary>The functions of libstrata_script (native/include/script.h tells what they do). <see
/// cref="ScriptLibraryLoader"/> must have loaded it.</summary>
internal static unsafe partial class ScriptLibrary
{
    public const string Name = "strata_script";
    public const uint AbiVersion = 5;

    [LibraryImport(Name, EntryPoint = "strata_script_handshake")]
    public static partial int Handshake(uint version, uint* sizes, int count);

    [LibraryImport(Name, EntryPoint = "strata_script_open")]
    public static partial int Open(NativeScriptOptions* options, nint* script);

    [LibraryImport(Name, EntryPoint = "strata_script_close")]
    public static partial void Close(nint script);

    [LibraryImport(Name, EntryPoint = "strata_script_load")]
    public static partial int Load(
        nint script, byte* body, long length, NativeScriptFunction** functions, int* count, NativeScriptError* error);

    [SuppressGCTransition]
    [LibraryImport(Name, EntryPoint = "strata_script_memory")]
    public static partial long Memory(nint script);

    [LibraryImport(Name, EntryPoint = "strata_script_compile")]
    public static partial int Compile(nint script, byte* body, long length, int* function, NativeScriptError* error);

    [LibraryImport(Name, EntryPoint = "strata_script_dump")]
    public static partial int Dump(nint script, int function, NativeBytes* chunk);

    [LibraryImport(Name, EntryPoint = "strata_script_forget")]
    public static partial void Forget(nint script, int function);

    [LibraryImport(Name, EntryPoint = "strata_script_trim")]
    public static partial void Trim(nint script);

    [LibraryImport(Name, EntryPoint = "strata_script_collect")]
    public static partial void Collect(nint script);

    [LibraryImport(Name, EntryPoint = "strata_script_execute")]
    public static partial int Execute(
        nint script, int function, NativeScriptRun* run, NativeBytes* reply, NativeScriptError* error);
}
