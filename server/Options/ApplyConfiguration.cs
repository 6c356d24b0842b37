namespace Strata.Server.Options;

/// <summary>
/// Puts a change of configuration into effect where reading <see cref="ConfigurationStore.Current"/> is not enough.
/// Called by one thread at a time, before <see cref="ConfigurationStore.Current"/> changes. When a later subscriber
/// refuses the change, it is called again with the two snapshots in exchange, to take it back.
/// </summary>
/// <param name="previous">The options in force.</param>
/// <param name="next">The options to come.</param>
/// <returns>Null, or why the change cannot be made, in words for the client; then nothing may have changed.</returns>
public delegate string? ApplyConfiguration(ServerOptions previous, ServerOptions next);
