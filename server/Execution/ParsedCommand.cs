
namespace Strata.Server.Execution;

/// <summary>Where a command that was just read lies.</summary>
/// <param name="First">Its first argument in the argument buffer.</param>
/// <param name="Count">Number of arguments.</param>
/// <param name="Length">Bytes of the whole command.</param>
internal readonly record struct ParsedCommand(int First, int Count, int Length);
