namespace Strata.Server.Execution.Runs;

/// <summary>What commands of a run that are left wait for.</summary>
internal struct RunPause
{
    /// <summary>Whether any are left.</summary>
    public bool IsAnyLeft;

    /// <summary>Whether databases were exchanged since their keys were hashed.</summary>
    public bool IsStale;

    /// <summary>Whether one needs memory.</summary>
    public bool WantsRoom;

    /// <summary>Whether the client has to read first.</summary>
    public bool WantsOutput;

    /// <summary>Whether others come first.</summary>
    public bool LetsPass;

    /// <summary>Whether one has done a step, and goes on in another turn; until it is done there is no other.</summary>
    public bool GoesOn;

    /// <summary>The command that ended the direct execution because its record is on the device; -1 for none.</summary>
    public int Cold;

    /// <summary>A command was not executed.</summary>
    public void Note(Attempt attempt)
    {
        IsAnyLeft = true;
        LetsPass |= attempt == Attempt.NotItsTurn;
        GoesOn |= attempt == Attempt.Unfinished;
    }
}
