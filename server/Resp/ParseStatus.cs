namespace Strata.Server.Resp;

/// <summary>What a call of the parser came to.</summary>
public enum ParseStatus
{
    /// <summary>One command was read.</summary>
    Complete,

    /// <summary>The input ends inside a command.</summary>
    NeedMore,

    /// <summary>The input breaks the protocol; the connection cannot go on.</summary>
    Error,
}
