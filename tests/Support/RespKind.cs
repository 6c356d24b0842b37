namespace Strata.Tests.Support;

/// <summary>The reply types of RESP2 and RESP3, with RESP2's two nulls told apart from RESP3's.</summary>
public enum RespKind
{
    SimpleString,
    Error,
    Integer,
    BulkString,
    NullBulk,
    Array,
    NullArray,
    Null,
    Boolean,
    Double,
    BigNumber,
    BlobError,
    Verbatim,
    Map,
    Set,
    Push,

    /// <summary>An attribute: its pairs, and as the last item the reply that it describes.</summary>
    Attribute,
}
