using System.Runtime.InteropServices;

namespace Strata.Server.Network.Transport.Tls.Native;

/// <summary>strata_tls_settings: how connections are made. Texts end with a zero; null where one is not given.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeTlsSettings
{
    public byte* CertificateFile;
    public byte* KeyFile;
    public byte* KeyPassword;
    public byte* AuthoritiesFile;
    public byte* AuthoritiesFolder;
    public byte* ParametersFile;
    public byte* Ciphers;
    public byte* Ciphersuites;
    public int Protocols;
    public int Clients;
    public int PrefersOwnCiphers;
    public int GivesTickets;
    public long TicketSeconds;
}
