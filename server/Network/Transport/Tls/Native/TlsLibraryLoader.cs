using Strata.Storage.Interop;

namespace Strata.Server.Network.Transport.Tls.Native;

/// <summary>Loads libstrata_tls from beside the program, and with it the system's OpenSSL, once, and makes sure that it
/// speaks this version.</summary>
internal static class TlsLibraryLoader
{
    private static readonly LibraryFile s_file = new(TlsLibrary.Name);
    private static readonly Lazy<string?> s_problem =
        new(() => s_file.Load(typeof(TlsLibraryLoader).Assembly, Compare));

    /// <summary>Why TLS cannot be spoken, with the remedy; null when it can.</summary>
    public static string? Problem => s_problem.Value;

    private static unsafe string? Compare()
    {
        var sizes = stackalloc uint[]
        {
            (uint)sizeof(NativeTlsSettings), (uint)sizeof(NativeTlsProblem), (uint)sizeof(NativeTlsState),
        };
        return TlsLibrary.Handshake(TlsLibrary.AbiVersion, sizes, 3) switch
        {
            TlsStatus.Ok => null,
            TlsStatus.EVersion => $"'{s_file.Path}' is of another version of the interface than the program: "
                + "install both from the same build",
            var status => $"'{s_file.Path}' has structures of other sizes than the program (status {status}): "
                + "install both from the same build",
        };
    }
}
