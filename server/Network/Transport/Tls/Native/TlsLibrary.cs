using System.Runtime.InteropServices;

namespace Strata.Server.Network.Transport.Tls.Native;

/// <summary>The functions of libstrata_tls (native/include/tls.h tells what they do). <see cref="TlsLibraryLoader"/>
/// must have loaded it.</summary>
internal static unsafe partial class TlsLibrary
{
    public const string Name = "strata_tls";
    public const uint AbiVersion = 3;

    /// <summary>The least room that <see cref="Receive"/> takes, bytes (STRATA_TLS_LEAST_ROOM).</summary>
    public const int LeastRoom = 32 << 10;

    [LibraryImport(Name, EntryPoint = "strata_tls_handshake")]
    public static partial int Handshake(uint version, uint* sizes, int count);

    [LibraryImport(Name, EntryPoint = "strata_tls_context_open")]
    public static partial int OpenContext(NativeTlsSettings* settings, nint* context, NativeTlsProblem* problem);

    [LibraryImport(Name, EntryPoint = "strata_tls_context_expiry")]
    public static partial long ExpiryOfContext(nint context);

    [LibraryImport(Name, EntryPoint = "strata_tls_context_close")]
    public static partial void CloseContext(nint context);

    [LibraryImport(Name, EntryPoint = "strata_tls_engine_open")]
    public static partial int OpenEngine(nint* engine);

    [LibraryImport(Name, EntryPoint = "strata_tls_engine_close")]
    public static partial void CloseEngine(nint engine);

    [LibraryImport(Name, EntryPoint = "strata_tls_open")]
    public static partial int Open(nint engine, nint context, int socket, nint* connection, NativeTlsState** state);

    [LibraryImport(Name, EntryPoint = "strata_tls_shake_hands")]
    public static partial int ShakeHands(nint connection);

    [LibraryImport(Name, EntryPoint = "strata_tls_move")]
    public static partial void Move(nint connection, nint engine);

    [LibraryImport(Name, EntryPoint = "strata_tls_receive")]
    public static partial long Receive(nint connection, byte* buffer, long size, int onlyWhole);

    [LibraryImport(Name, EntryPoint = "strata_tls_send")]
    public static partial long Send(nint connection, byte* bytes, long length);

    [LibraryImport(Name, EntryPoint = "strata_tls_end_output")]
    public static partial void EndOutput(nint connection);

    [LibraryImport(Name, EntryPoint = "strata_tls_close")]
    public static partial void Close(nint connection);

    [LibraryImport(Name, EntryPoint = "strata_tls_error_text")]
    public static partial void ErrorText(long error, byte* text, long size);

    [LibraryImport(Name, EntryPoint = "strata_tls_verify_text")]
    public static partial void VerifyText(int result, byte* text, long size);
}
