using Strata.Storage.Interop;

namespace Strata.Storage.Devices.Native;

/// <summary>Loads libstrata_device from beside the program, once, and makes sure that it speaks this version.</summary>
internal static class LibraryLoader
{
    private static readonly LibraryFile s_file = new(DeviceLibrary.Name, ", or take the managed backend");
    private static readonly Lazy<string?> s_problem =
        new(() => s_file.Load(typeof(LibraryLoader).Assembly, Compare));

    /// <summary>The library.</summary>
    public static LibraryFile File => s_file;

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

    private static unsafe string? Compare()
    {
        var ours = NativeLayout.Ours();
        NativeLayout theirs;
        var status = DeviceLibrary.Handshake(&ours, &theirs);
        return Compare(status, theirs, s_file.Path);
    }
}
