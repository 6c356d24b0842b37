using Strata.Server.Rdb;

namespace Strata.Server.Persistence;

/// <summary>Entries of one database, or a part of one, on their way to the file.</summary>
internal readonly record struct SnapshotBlock(RdbOutput Output, int Database);
