using System.Runtime.InteropServices;

namespace Strata.Server.Network.Transport.Tls.Native;

/// <summary>strata_tls_problem: why a context was not opened.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeTlsProblem
{
    public const int TextBytes = 252;

    public TlsProblem Setting;
    public fixed byte Text[TextBytes];
}
