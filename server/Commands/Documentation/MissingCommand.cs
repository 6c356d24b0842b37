using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>A command or subcommand of Redis that this server does not have.</summary>
/// <param name="FullName">Lower case; "config|get" of a subcommand.</param>
/// <param name="Group">Its group in the Redis command reference.</param>
/// <param name="Since">The Redis version that has it first.</param>
public sealed record MissingCommand(string FullName, CommandGroup Group, string Since);
