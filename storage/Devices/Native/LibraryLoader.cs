using System.Reflection;
using System.Runtime.InteropServices;

namespace Strata.Storage.Devices.Native;

/// <summary>Loads libstrata_device from beside the program, once, and makes sure that it speaks this version.</summary>
internal static class LibraryLoader
{
    private const string FileName = "lib" + DeviceLibrary.Name + ".so";

    private static readonly Lazy<string?> s_problem = new(LoadOurs);
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

    /// <summary>Loads a library that has yet to be asked for its layout.</summary>
    /// <returns>Why it does not load, or null.</returns>
    internal static string? Load(string path, out nint library)
    {
        library = 0;
        if (!File.Exists(path))
        {
            return $"the native library is missing at '{path}': put the one of the same build there, or take the "
                + "managed backend";
        }

        try
        {
            library = NativeLibrary.Load(path);
            return null;
        }
        catch (Exception exception) when (exception is DllNotFoundException or BadImageFormatException)
        {
            return DoesNotLoad(exception);
        }
    }

    private static unsafe string? LoadOurs()
    {
        var path = Path.Combine(AppContext.BaseDirectory, FileName);
        var problem = Load(path, out s_library);
        if (problem != null)
        {
            return problem;
        }

        NativeLibrary.SetDllImportResolver(typeof(LibraryLoader).Assembly, Resolve);
        try
        {
            var ours = NativeLayout.Ours();
            NativeLayout theirs;
            var status = DeviceLibrary.Handshake(&ours, &theirs);
            return Compare(status, theirs, path);
        }
        catch (EntryPointNotFoundException exception)
        {
            return DoesNotLoad(exception);
        }
    }

    private static string DoesNotLoad(Exception exception)
        => $"the native library does not load ({exception.Message}): build it on this system with ./build.sh, or take "
            + "the managed backend";

    // A resolver answers for all native libraries of the assembly: 0 leaves the others to the runtime.
    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? searchPath)
        => name == DeviceLibrary.Name ? s_library : 0;
}
