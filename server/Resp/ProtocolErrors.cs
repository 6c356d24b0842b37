namespace Strata.Server.Resp;

/// <summary>Redis's texts for broken input.</summary>
public static class ProtocolErrors
{
    /// <summary>The error line for what the parser found, without the leading '-'.</summary>
    public static string Text(in ParseState state) => "ERR Protocol error: " + state.Error switch
    {
        ProtocolError.InvalidMultibulkLength => "invalid multibulk length",
        ProtocolError.InvalidBulkLength => "invalid bulk length",
        ProtocolError.ExpectedDollar => $"expected '$', got '{(char)state.Found}'",
        ProtocolError.TooBigMultibulkCount => "too big mbulk count string",
        ProtocolError.TooBigBulkCount => "too big bulk count string",
        ProtocolError.TooBigInlineRequest => "too big inline request",
        ProtocolError.UnbalancedQuotes => "unbalanced quotes in request",
        ProtocolError.UnauthenticatedMultibulkLength => "unauthenticated multibulk length",
        ProtocolError.UnauthenticatedBulkLength => "unauthenticated bulk length",
        _ => throw new ArgumentOutOfRangeException(nameof(state), state.Error, "not an error"),
    };
}
