using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about TLS. Those that say how it is spoken hold for connections accepted from then on, and have all
/// files read again.</summary>
public static class TlsKeys
{
    private const string Path = "path";

    public static readonly ConfigurationKey TlsPort = new(
        "tls-port",
        new IntegerSyntax(0, 65535),
        "0",
        "The TCP port to listen on for clients that speak TLS, at the addresses of bind; 0 listens on none. With port "
        + "0 nothing is served unencrypted. OpenSSL 3 must be installed.")
    {
        IsListening = true,
    };

    public static readonly ConfigurationKey TlsCertFile = Text(
        "tls-cert-file",
        Path,
        "The server's certificate, with those it is signed with behind it (PEM). Setting it, or the key, has all files "
        + "read again, also by the path that they had: so they are exchanged without a restart, both in one CONFIG "
        + "SET.");

    public static readonly ConfigurationKey TlsKeyFile = Text(
        "tls-key-file", Path, "The private key of the server's certificate (PEM).");

    public static readonly ConfigurationKey TlsKeyFilePass = new(
        "tls-key-file-pass",
        new TextSyntax("text"),
        "\"\"",
        "The password that the private key is encrypted with; empty for none.")
    {
        IsSensitive = true,
    };

    public static readonly ConfigurationKey TlsCaCertFile = Text(
        "tls-ca-cert-file", Path, "Certificates of the authorities that sign clients' certificates (PEM).");

    public static readonly ConfigurationKey TlsCaCertDir = Text(
        "tls-ca-cert-dir",
        Path,
        "A folder of such certificates, each by the name that openssl rehash gives it.");

    public static readonly ConfigurationKey TlsAuthClients = new(
        "tls-auth-clients",
        new EnumerationSyntax("no", "yes", "optional"),
        "yes",
        "Whether a client must show a certificate that one of the authorities has signed (yes), needs none (no), or "
        + "needs none but may not show another (optional).");

    public static readonly ConfigurationKey TlsProtocols = Text(
        "tls-protocols",
        "text",
        "The versions that may be spoken, in quotes and separated by blanks: TLSv1, TLSv1.1, TLSv1.2, TLSv1.3; empty "
        + "for the last two.");

    public static readonly ConfigurationKey TlsCiphers = Text(
        "tls-ciphers",
        "text",
        "The ciphers of TLS 1.2 and before, as openssl ciphers takes them; empty for OpenSSL's.");

    public static readonly ConfigurationKey TlsCiphersuites = Text(
        "tls-ciphersuites", "text", "The ciphers of TLS 1.3, separated by colons; empty for OpenSSL's.");

    public static readonly ConfigurationKey TlsPreferServerCiphers = new(
        "tls-prefer-server-ciphers",
        new YesNoSyntax(),
        "no",
        "Whether the server's order of ciphers decides, not the client's.");

    public static readonly ConfigurationKey TlsDhParamsFile = Text(
        "tls-dh-params-file",
        Path,
        "Parameters for ciphers of TLS 1.2 with DHE (PEM); empty for ones that fit the certificate.");

    public static readonly ConfigurationKey TlsSessionCaching = new(
        "tls-session-caching",
        new YesNoSyntax(),
        "yes",
        "Whether clients may go on with a session when they connect again, which is less work. Sessions are kept by "
        + "the clients, in encrypted tickets, and end with a change of these keys.");

    public static readonly ConfigurationKey TlsSessionCacheTimeout = new(
        "tls-session-cache-timeout",
        new IntegerSyntax(0, int.MaxValue),
        "300",
        "Seconds for which they may.");

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "TLS",
        [
            TlsPort, TlsCertFile, TlsKeyFile, TlsKeyFilePass, TlsCaCertFile, TlsCaCertDir, TlsAuthClients, TlsProtocols,
            TlsCiphers, TlsCiphersuites, TlsPreferServerCiphers, TlsDhParamsFile, TlsSessionCaching,
            TlsSessionCacheTimeout,
        ]);

    private static ConfigurationKey Text(string name, string form, string summary)
        => new(name, new TextSyntax(form), "\"\"", summary) { IsVolatile = form == Path };
}
