namespace Strata.Server.Network.Transport.Tls.Native;

/// <summary>Which of the settings OpenSSL does not take (STRATA_TLS_PROBLEM_…).</summary>
internal enum TlsProblem
{
    None,
    Context,
    Certificate,
    Key,
    Authorities,
    Ciphers,
    Ciphersuites,
    Parameters,
}
