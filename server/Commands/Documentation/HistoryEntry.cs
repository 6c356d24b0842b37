namespace Strata.Server.Commands.Documentation;

/// <summary>Something that a command can do since a later version than its own.</summary>
/// <param name="Command">The command's full name, lower case.</param>
/// <param name="Version">The version of Redis.</param>
/// <param name="Change">What was added; arguments stand in backticks.</param>
internal sealed record HistoryEntry(string Command, string Version, string Change);
