namespace Strata.Server.Commands.Model;

/// <summary>Names shards a command needs besides those of its keys. Called before any lease is held; it reads the
/// arguments and adds to <paramref name="shards"/>. Arguments that are wrong add nothing: the handler, which is called
/// in any case, answers the error before it touches a shard.</summary>
internal delegate void ShardSelector(CommandContext context, IShardSet shards);
