using Strata.Server.Commands.Model;

namespace Strata.Server.Clients.Transactions;

/// <summary>A command of a transaction: what it is, and where its bytes and arguments begin in the queue. Of one whose
/// first argument is a key, the key's hash in the database it was for when the command was queued.</summary>
internal readonly record struct QueuedCommand(
    CommandRow Row, long Start, int Length, int FirstArgument, int ArgumentCount, byte Database, ulong Hash);
