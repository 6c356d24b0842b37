namespace Strata.Server.Options;

/// <summary>How telemetry is sent (OpenTelemetry Protocol 1.x).</summary>
public enum OtlpProtocol
{
    Grpc,
    HttpProtobuf,
}
