
namespace Strata.Server.Clients.Waiting;

/// <summary>What ends a blocking command, other than what it waits for.</summary>
internal enum WaitEnd : byte
{
    /// <summary>Nothing yet.</summary>
    None,

    /// <summary>Its time is up, or CLIENT UNBLOCK says so.</summary>
    Timeout,

    /// <summary>CLIENT UNBLOCK with ERROR.</summary>
    Error,
}
