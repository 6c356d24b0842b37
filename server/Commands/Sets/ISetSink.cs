namespace Strata.Server.Commands.Sets;

/// <summary>Where the members of a combination of sets go.</summary>
internal interface ISetSink
{
    /// <summary>Takes a member.</summary>
    /// <returns>Whether more are wanted.</returns>
    bool Take(ReadOnlySpan<byte> member);
}
