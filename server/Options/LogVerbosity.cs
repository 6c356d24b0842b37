namespace Strata.Server.Options;

/// <summary>How much is logged; each level includes the ones after it.</summary>
public enum LogVerbosity
{
    Debug,
    Verbose,
    Notice,
    Warning,
    Nothing,
}
