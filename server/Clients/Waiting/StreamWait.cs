using Strata.Storage.Collections.Streams;

namespace Strata.Server.Clients.Waiting;

/// <summary>What a command that waits for streams' entries keeps meanwhile.</summary>
/// <param name="Group">A number that stands for its group; 0 for none.</param>
/// <param name="LastIds">The last ids of its streams as it began to wait, where it waits for what comes behind them;
/// null
/// where it does so for none.</param>
internal readonly record struct StreamWait(ulong Group, StreamId[]? LastIds);
