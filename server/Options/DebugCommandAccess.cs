namespace Strata.Server.Options;

/// <summary>Who may use DEBUG.</summary>
public enum DebugCommandAccess
{
    No,
    Yes,
    Local,
}
