namespace Strata.Server.Options;

/// <summary>Keys that belong together, under a heading in the conf file and the documentation.</summary>
/// <param name="Title">The heading.</param>
/// <param name="Keys">The keys, in the order in which they are shown.</param>
public sealed record ConfigurationSection(string Title, IReadOnlyList<ConfigurationKey> Keys);
