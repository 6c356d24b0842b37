using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about TLS, which the server does not speak. Those that say to encrypt, or with what, are about
/// security; those that only say how fast are not.</summary>
internal static class TlsWords
{
    public static readonly IReadOnlyList<InertWord> All =
    [
        new("tls-port", InertSyntax.Port, "0") { Rank = InertRank.Security },
        new("tls-cluster", InertSyntax.YesNo, "no") { Rank = InertRank.Security },
        new("tls-replication", InertSyntax.YesNo, "no") { Rank = InertRank.Security },
        new("tls-auth-clients", new EnumerationSyntax("no", "yes", "optional"), "yes"),
        new("tls-prefer-server-ciphers", InertSyntax.YesNo, "no"),
        new("tls-session-caching", InertSyntax.YesNo, "yes"),
        new("tls-session-cache-size", InertSyntax.Integer, "20480"),
        new("tls-session-cache-timeout", InertSyntax.Integer, "300"),
        Material("tls-cert-file"),
        Material("tls-key-file"),
        Material("tls-key-file-pass", isSensitive: true),
        Material("tls-client-cert-file"),
        Material("tls-client-key-file"),
        Material("tls-client-key-file-pass", isSensitive: true),
        Material("tls-dh-params-file"),
        Material("tls-ca-cert-file"),
        Material("tls-ca-cert-dir"),
        Material("tls-protocols"),
        Material("tls-ciphers"),
        Material("tls-ciphersuites"),
        new("max-new-tls-connections-per-cycle", new IntegerSyntax(1, 1000), "1"),
    ];

    private static InertWord Material(string name, bool isSensitive = false) =>
        new(name, InertSyntax.Text, "\"\"") { Rank = InertRank.Security, IsSensitive = isSensitive };
}
