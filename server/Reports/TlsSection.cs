using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO tls: nothing where it is not spoken.</summary>
internal static class TlsSection
{
    public static void Write(InfoText text, MetricSource source)
    {
        if (source.Services.Tls.Context is not { } context || source.Server.Configuration.Current.TlsPort == 0)
        {
            return;
        }

        var handshakes = source.Services.Tls.Handshakes;
        var left = context.Expiry - source.Server.Platform.Clock.GetUtcNow();
        text.Section("TLS");
        text.Field("tls_server_cert_expires_in_seconds", (long)left.TotalSeconds);
        text.Field("tls_server_cert_expire_time", context.Expiry.ToUnixTimeSeconds());
        text.Field("tls_handshakes", handshakes.Established);
        text.Field("tls_handshakes_failed", handshakes.Failed);
        text.Field("tls_handshakes_under_way", handshakes.UnderWay);
    }
}
