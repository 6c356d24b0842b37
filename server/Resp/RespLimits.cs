namespace Strata.Server.Resp;

/// <summary>What the parser accepts from one client; before authentication it is little.</summary>
/// <param name="MaxArguments">Largest number of arguments.</param>
/// <param name="MaxBulkBytes">proto-max-bulk-len.</param>
/// <param name="MaxUnauthenticatedBulkBytes">The bound before authentication, or the same again.</param>
public readonly record struct RespLimits(long MaxArguments, long MaxBulkBytes, long MaxUnauthenticatedBulkBytes);
