using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Strata.Storage.Memory;

namespace Strata.Storage.Runtime;

/// <summary>The digests that Redis's formats ask for. The runtime makes them with OpenSSL, which is loaded for the
/// first of them, since it is several megabytes; where it cannot be loaded the runtime ends the process, so it is tried
/// here before. Any thread.</summary>
public static class Digests
{
    private static readonly string[] s_libraries = ["libssl.so.3", "libssl.so.1.1", "libssl.so"];
    private static volatile bool s_isLoaded;

    /// <summary>SHA-1: what a script is called, and how data is compared; it keeps nothing secret.</summary>
    /// <param name="bytes">What is digested.</param>
    /// <param name="digest">20 bytes for it.</param>
    /// <exception cref="MemoryExhaustedException">The system gives no memory for the library.</exception>
    public static void Sha1(ReadOnlySpan<byte> bytes, Span<byte> digest)
    {
        Load();
#pragma warning disable CA5350 // It is Redis's, and keeps nothing secret.
        _ = SHA1.HashData(bytes, digest);
#pragma warning restore CA5350
    }

    /// <summary>SHA-256, 32 bytes.</summary>
    /// <inheritdoc cref="Sha1"/>
    public static void Sha256(ReadOnlySpan<byte> bytes, Span<byte> digest)
    {
        Load();
        _ = SHA256.HashData(bytes, digest);
    }

    private static void Load()
    {
        if (s_isLoaded)
        {
            return;
        }

        if (!Array.Exists(s_libraries, static name => NativeLibrary.TryLoad(name, out _)))
        {
            throw new MemoryExhaustedException("the system gave no memory to load OpenSSL (libssl.so.3)");
        }

        s_isLoaded = true;
    }
}
