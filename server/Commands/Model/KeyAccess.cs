namespace Strata.Server.Commands.Model;

/// <summary>What a command does with a key (the flags of a key specification, COMMAND INFO and GETKEYSANDFLAGS).
/// </summary>
[Flags]
public enum KeyAccess
{
    None = 0,
    ReadOnly = 1 << 0,
    ReadWrite = 1 << 1,
    Overwrite = 1 << 2,
    Remove = 1 << 3,
    Access = 1 << 4,
    Update = 1 << 5,
    Insert = 1 << 6,
    Delete = 1 << 7,
    VariableFlags = 1 << 8,

    /// <summary>It is no key at all, but decides like one which node of a cluster takes the command.</summary>
    NotKey = 1 << 9,

    /// <summary>There may be others, which nobody can tell without the command itself.</summary>
    Incomplete = 1 << 10,
}
