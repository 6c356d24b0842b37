namespace Strata.Storage.Runtime;

/// <summary>How far long work is after a step of it.</summary>
internal enum StepResult
{
    /// <summary>There is more to do at once.</summary>
    More,

    /// <summary>It waits for the device, or until some of what it has given is written.</summary>
    Waits,

    /// <summary>All is done, or given up.</summary>
    Done,
}
