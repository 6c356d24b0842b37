using Strata.Server.Diagnostics.Keyspace;

namespace Strata.Server.Commands.Observation;

/// <summary>What STRATA PREFIXES and STRATA BIGKEYS are asked for.</summary>
/// <param name="Rule">What the prefix of a key is.</param>
/// <param name="Database">The one database, by its physical number; -1 for all.</param>
/// <param name="Count">How many are told of, at most.</param>
internal readonly record struct PrefixesRequest(PrefixRule Rule, int Database, int Count);
