namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>What became of a register that was to be raised.</summary>
internal enum RegisterChange
{
    /// <summary>It is as high.</summary>
    None,

    Raised,

    /// <summary>The sparse form cannot hold it, or would be too long.</summary>
    NeedsDense,

    /// <summary>The registers are no such thing.</summary>
    Corrupt,
}
