namespace Strata.Server.Options;

/// <summary>When what was written to the journal is brought to the disk: <c>appendfsync</c>.</summary>
public enum SyncPolicy
{
    /// <summary>Before it is answered.</summary>
    Always,

    /// <summary>Each second.</summary>
    EverySec,

    /// <summary>When the system likes to.</summary>
    No,
}
