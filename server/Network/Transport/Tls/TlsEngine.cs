using Strata.Server.Network.Transport.Tls.Native;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>What the connections of one thread share: the memory for what is encrypted.</summary>
internal sealed unsafe class TlsEngine : IDisposable
{
    private TlsEngine(nint handle)
    {
        Handle = handle;
    }

    public nint Handle { get; private set; }

    /// <summary>Makes one; the library is loaded.</summary>
    /// <returns>Null when the system gives no memory.</returns>
    public static TlsEngine? Open()
    {
        nint engine;
        return TlsLibrary.OpenEngine(&engine) == TlsStatus.Ok ? new TlsEngine(engine) : null;
    }

    /// <summary>Gives it back, after the last of its connections.</summary>
    public void Dispose()
    {
        if (Handle != 0)
        {
            TlsLibrary.CloseEngine(Handle);
            Handle = 0;
        }
    }
}
