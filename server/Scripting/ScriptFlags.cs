namespace Strata.Server.Scripting;

/// <summary>What the first line of a script says of it ("#!lua flags=no-writes,allow-oom"), or who registers a
/// function, in Redis's words. All but the last are numbered as native/include/script.h does.</summary>
[Flags]
public enum ScriptFlags
{
    None = 0,

    /// <summary>It changes nothing.</summary>
    NoWrites = 1 << 0,

    /// <summary>It may run while memory is full.</summary>
    AllowOom = 1 << 1,

    /// <summary>It may run on a replica that has lost its master.</summary>
    AllowStale = 1 << 2,

    /// <summary>It cannot run in a cluster.</summary>
    NoCluster = 1 << 3,

    /// <summary>Its keys may be of several slots.</summary>
    AllowCrossSlotKeys = 1 << 4,

    /// <summary>There is no such line: what the script may do is found out as it runs.</summary>
    Undeclared = 1 << 5,
}
