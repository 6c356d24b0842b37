namespace Strata.Server.Options;

/// <summary>What the server starts with.</summary>
/// <param name="Options">The options.</param>
/// <param name="ConfFile">The absolute path of the conf file; null when there was none.</param>
/// <param name="Warnings">What to warn of in the log.</param>
public sealed record LoadedConfiguration(ServerOptions Options, string? ConfFile, IReadOnlyList<string> Warnings)
{
    /// <summary>The users of the conf file and the flags.</summary>
    public IReadOnlyList<UserLine> Users { get; init; } = [];

    /// <summary>The other names that they give to commands.</summary>
    public IReadOnlyList<RenameLine> Renames { get; init; } = [];
}
