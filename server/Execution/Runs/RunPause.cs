namespace Strata.Server.Execution.Runs;

/// <summary>What the next command of a run waits for, and all behind it.</summary>
internal struct RunPause
{
    /// <summary>Whether the lease of its shard is taken.</summary>
    public bool WantsLease;

    /// <summary>Whether its record is on the device.</summary>
    public bool IsCold;

    /// <summary>Whether it needs memory.</summary>
    public bool WantsRoom;

    /// <summary>Whether the client has to read first.</summary>
    public bool WantsOutput;

    /// <summary>Whether others come first.</summary>
    public bool LetsPass;

    /// <summary>Whether it has done a step, and goes on in another turn.</summary>
    public bool GoesOn;

    /// <summary>The command was not executed, or not to its end.</summary>
    public void Note(Attempt attempt)
    {
        WantsLease = attempt == Attempt.LeaseTaken;
        IsCold = attempt == Attempt.Cold;
        LetsPass = attempt == Attempt.NotItsTurn;
        GoesOn = attempt == Attempt.Unfinished;
        WantsRoom = attempt == Attempt.NoRoom;
    }
}
