namespace Strata.Server.Persistence;

/// <summary>How loading goes on after a slice of it.</summary>
internal enum LoadStep
{
    /// <summary>There is more to do.</summary>
    GoesOn,

    /// <summary>There is nothing to do for this worker until it is woken.</summary>
    Waits,

    /// <summary>All is loaded.</summary>
    Ended,
}
