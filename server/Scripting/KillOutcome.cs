namespace Strata.Server.Scripting;

/// <summary>What became of the wish to end slow scripts; of several, what comes last here is told.</summary>
internal enum KillOutcome
{
    /// <summary>There is none.</summary>
    NoneRuns,

    /// <summary>It is a function and not a script, or the other way round.</summary>
    OtherKind,

    /// <summary>It has changed something, so that it must go on.</summary>
    HasWritten,

    /// <summary>It ends.</summary>
    Killed,
}
