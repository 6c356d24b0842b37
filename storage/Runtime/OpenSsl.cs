using System.Runtime.InteropServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Runtime;

/// <summary>The library that the runtime makes digests with. It is loaded for the first of them, since it is several
/// megabytes; and where it cannot be loaded the runtime ends the process.</summary>
public static class OpenSsl
{
    private static readonly string[] s_names = ["libssl.so.3", "libssl.so.1.1", "libssl.so"];
    private static volatile bool s_isLoaded;

    /// <summary>Loads it, before a digest is made. Any thread.</summary>
    /// <exception cref="MemoryExhaustedException">The system gives no memory for it.</exception>
    public static void Load()
    {
        if (s_isLoaded)
        {
            return;
        }

        if (!Array.Exists(s_names, static name => NativeLibrary.TryLoad(name, out _)))
        {
            throw new MemoryExhaustedException("the system gave no memory to load OpenSSL (libssl.so.3)");
        }

        s_isLoaded = true;
    }
}
