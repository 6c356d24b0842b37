namespace Strata.Server.Commands.Model;

/// <summary>What a client has had the server do, since it came. Its worker's thread writes; a field of the client, so
/// that to count costs two additions.</summary>
internal struct ClientCost
{
    /// <summary>Commands that were executed.</summary>
    public long Commands;

    /// <summary>How long they took, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
    public long Ticks;

    /// <summary>Counts commands.</summary>
    public void Count(long commands, long ticks)
    {
        Commands += commands;
        Ticks += ticks;
    }
}
