namespace Strata.Server.Options;

/// <summary>
/// The configuration is wrong. The message says in one line what, where and, where it can, what would be right.
/// </summary>
/// <param name="message">The message.</param>
public sealed class ConfigurationException(string message) : Exception(message);
