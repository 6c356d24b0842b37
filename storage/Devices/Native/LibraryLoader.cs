using System.Reflection;
using System.Runtime.InteropServices;

namespace Strata.Storage.Devices.Native;

/// <summary>Loads libstrata_device from beside the program, once, and makes sure that it speaks this version.</summary>
internal static class LibraryLoader
{
    private const string FileName = "lib" + DeviceLibrary.Name + ".so";

    private static readonly Lazy<string?> s_problem = new(Load);
    private static nint s_library;

    /// <summary>Why the library cannot be used, with the remedy; null when it can.</summary>
    public static string? Problem => s_problem.Value;

    /// <summary>Why a library with this layout cannot be used; null when it can.</summary>
    internal static string? Compare(int status, in NativeLayout library, string path) => status switch
    {
        NativeConstants.Ok => null,
        NativeConstants.EVersion => $"'{path}' is of version {library.Version} of the interface, and the program needs "
            + $"{NativeConstants.AbiVersion}: install both from the same build",
        _ => $"'{path}' has structures of other sizes than the program (status {status}): install both from the same "
            + "build",
    };

    private static unsafe string? Load()
    {
        var path = Path.Combine(AppContext.BaseDirectory, FileName);
        if (!File.Exists(path))
        {
            return $"the native library is missing at '{path}': put the one of the same build there, or take the "
                + "managed backend";
        }

        try
        {
            s_library = NativeLibrary.Load(path);
            NativeLibrary.SetDllImportResolver(typeof(LibraryLoader).Assembly, Resolve);
            var ours = NativeLayout.Ours();
            NativeLayout theirs;
            var status = DeviceLibrary.Handshake(&ours, &theirs);
            return Compare(status, theirs, path);
        }
        catch (Exception exception) when (exception is DllNotFoundException or BadImageFormatException
            or EntryPointNotFoundException)
        {
            return $"the native library does not load ({exception.Message}): build it on this system with ./build.sh, "
                + "or take the managed backend";
        }
    }

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? searchPath)
        => name == DeviceLibrary.Name ? s_library : 0;
}
