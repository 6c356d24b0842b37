
namespace Strata.Server.Execution.Runs;

/// <summary>What became of a command of a run.</summary>
internal enum RunOutcome : byte
{
    /// <summary>It is still to be executed.</summary>
    Deferred,
    Executed,

    /// <summary>It was executed and answered an error.</summary>
    Failed,

    /// <summary>It was refused for want of memory.</summary>
    Rejected,
}
