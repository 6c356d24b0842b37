using Strata.Server.Commands;

namespace Strata.Server.Sessions;

/// <summary>A command of a transaction: what it is, and where its bytes and arguments begin in the queue.</summary>
internal readonly record struct QueuedCommand(CommandRow Row, long Start, int FirstArgument, int ArgumentCount);
