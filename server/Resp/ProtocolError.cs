namespace Strata.Server.Resp;

/// <summary>The ways in which input breaks the protocol.</summary>
public enum ProtocolError
{
    None,
    InvalidMultibulkLength,
    InvalidBulkLength,
    ExpectedDollar,
    TooBigMultibulkCount,
    TooBigBulkCount,
    TooBigInlineRequest,
    UnbalancedQuotes,
    UnauthenticatedMultibulkLength,
    UnauthenticatedBulkLength,
}
