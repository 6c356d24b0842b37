using Strata.Server.Commands.Model;

namespace Strata.Server.Clients.Transactions;

/// <summary>Executes what was queued since MULTI.</summary>
internal interface ITransactionExecutor
{
    /// <summary>Names the shards of all queued commands, before any lease is held.</summary>
    void AddShards(CommandContext context, IShardSet shards);

    /// <summary>Executes the queued commands, and writes their replies. The leases must be held.</summary>
    void Execute(CommandContext context);
}
