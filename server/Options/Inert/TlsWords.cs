using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about TLS that have no effect: between servers it is not spoken, nor is anything kept of clients'
/// sessions.</summary>
internal static class TlsWords
{
    public static readonly IReadOnlyList<InertWord> All =
    [
        new("tls-cluster", InertSyntax.YesNo, "no") { Rank = InertRank.Security },
        new("tls-replication", InertSyntax.YesNo, "no") { Rank = InertRank.Security },
        new("tls-session-cache-size", InertSyntax.Integer, "20480"),
        new("tls-client-cert-file", InertSyntax.Text, "\"\""),
        new("tls-client-key-file", InertSyntax.Text, "\"\""),
        new("tls-client-key-file-pass", InertSyntax.Text, "\"\"") { IsSensitive = true },
        new("max-new-tls-connections-per-cycle", new IntegerSyntax(1, 1000), "1"),
    ];
}
