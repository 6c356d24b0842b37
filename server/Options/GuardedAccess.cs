namespace Strata.Server.Options;

/// <summary>Who may use what could harm the machine.</summary>
public enum GuardedAccess
{
    No,
    Yes,
    Local,
}
