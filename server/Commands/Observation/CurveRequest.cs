namespace Strata.Server.Commands.Observation;

/// <summary>Of which keys STRATA CURVE is asked for.</summary>
/// <param name="Database">Those of one database, by its number for clients; -1 for all.</param>
/// <param name="Prefix">Those that begin so; null for all.</param>
internal readonly record struct CurveRequest(int Database, byte[]? Prefix)
{
    /// <summary>Whether that is all keys.</summary>
    public bool IsAll => Database < 0 && Prefix == null;
}
