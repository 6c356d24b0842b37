namespace Strata.Server.Execution.Scripts;

/// <summary>What a command that executes a script has been found to name.</summary>
/// <param name="Known">The script; null for none.</param>
/// <param name="Keys">How many keys it is given: the arguments that follow.</param>
internal readonly record struct FoundScript(KnownScript? Known, int Keys);
