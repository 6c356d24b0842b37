using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>One section of INFO.</summary>
/// <param name="Name">What INFO's argument calls it, in lower case.</param>
/// <param name="IsDefault">Whether INFO without arguments has it.</param>
/// <param name="Write">Writes it, title included.</param>
public sealed record InfoSection(string Name, bool IsDefault, Action<InfoText, MetricSource> Write)
{
    /// <summary>Whether nothing but its name asks for it, not INFO all either.</summary>
    public bool IsOnlyByName { get; init; }

    /// <summary>What the argument may call it, too.</summary>
    public string? OtherName { get; init; }
}
