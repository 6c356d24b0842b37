
namespace Strata.Server.Clients;

/// <summary>What becomes of a session's replies (CLIENT REPLY).</summary>
internal enum ReplyMode
{
    /// <summary>They are sent.</summary>
    On,

    /// <summary>They are not.</summary>
    Off,

    /// <summary>That of the command being executed is not.</summary>
    Skip,
}
