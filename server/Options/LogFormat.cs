namespace Strata.Server.Options;

/// <summary>The form of a log line.</summary>
public enum LogFormat
{
    Plain,
    Json,
}
