using Strata.Server.Clients;

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

    /// <summary>The client has to read first.</summary>
    public void WantOutput() => IsAnyLeft = WantsOutput = true;

    /// <summary>A command needs memory.</summary>
    public void WantRoom() => IsAnyLeft = WantsRoom = true;

    /// <summary>A command was not executed, or not to its end.</summary>
    /// <param name="attempt">What became of it.</param>
    /// <param name="run">Whose command it is.</param>
    /// <param name="index">Which.</param>
    /// <param name="session">The client.</param>
    public void Note(Attempt attempt, CommandRun run, int index, Session session)
    {
        IsAnyLeft = true;
        LetsPass |= attempt == Attempt.NotItsTurn;
        GoesOn |= attempt == Attempt.Unfinished;
        WantsRoom |= attempt == Attempt.NoRoom;
        run.OnLeft(index, session);
    }
}
