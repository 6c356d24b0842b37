namespace Strata.Server.Options;

/// <summary>What is asked of clients that connect by TLS.</summary>
public enum TlsClientCheck
{
    /// <summary>No certificate.</summary>
    No,

    /// <summary>A right one of those who show one.</summary>
    Optional,

    /// <summary>A right one.</summary>
    Yes,
}
