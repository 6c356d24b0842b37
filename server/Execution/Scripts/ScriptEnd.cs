namespace Strata.Server.Execution.Scripts;

/// <summary>How the execution of a script has ended.</summary>
internal enum ScriptEnd : byte
{
    /// <summary>It went to its end, or failed.</summary>
    Whole,

    /// <summary>A record it has asked for is on the device alone: nothing was done, and it begins anew when that was
    /// read.</summary>
    MustRead,

    /// <summary>It needs leases that are not held: nothing was done, and it begins anew under all.</summary>
    MustReachOut,
}
