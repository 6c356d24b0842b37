namespace Strata.Server.Network.Transport.Tls;

/// <summary>Reads <c>tls-protocols</c>.</summary>
internal static class TlsProtocolsParser
{
    /// <summary>The versions that a text names; of an empty one, those that are safe.</summary>
    /// <returns>False when it names something else.</returns>
    public static bool TryParse(string text, out TlsProtocols protocols)
    {
        protocols = TlsProtocols.None;
        foreach (var word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            var named = word.ToUpperInvariant() switch
            {
                "TLSV1" => TlsProtocols.Tls10,
                "TLSV1.1" => TlsProtocols.Tls11,
                "TLSV1.2" => TlsProtocols.Tls12,
                "TLSV1.3" => TlsProtocols.Tls13,
                _ => TlsProtocols.None,
            };
            if (named == TlsProtocols.None)
            {
                return false;
            }

            protocols |= named;
        }

        protocols = protocols == TlsProtocols.None ? TlsProtocols.Tls12 | TlsProtocols.Tls13 : protocols;
        return true;
    }
}
