namespace Strata.Server.Options;

/// <summary>When the value of a key may change.</summary>
public enum ChangeRule
{
    /// <summary>At any time, by CONFIG SET.</summary>
    AtRuntime,

    /// <summary>Only between one start and the next.</summary>
    AtStart,

    /// <summary>
    /// Only between one start and the next, because a client who could set it could harm the machine.
    /// </summary>
    Protected,
}
