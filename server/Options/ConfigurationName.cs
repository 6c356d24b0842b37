namespace Strata.Server.Options;

/// <summary>A name that CONFIG knows. A word with an alias has two, each of which is listed, as Redis does.</summary>
/// <param name="Text">The name, in lower case.</param>
/// <param name="Word">The word it stands for.</param>
public sealed record ConfigurationName(string Text, ConfigurationWord Word);
