namespace Strata.Bench.Types;

/// <summary>What a server is filled with.</summary>
/// <param name="Command">The commands to send in turn, in the notation of <see cref="Load.CommandTemplate"/>.</param>
/// <param name="Requests">How many requests; <c>{key}</c> counts from 0 up to this.</param>
internal sealed record DataFill(string Command, long Requests)
{
    /// <summary>How many connections send them; one where their order matters.</summary>
    public int Connections { get; init; } = 4;
}
