namespace Strata.Server.Commands.Streams;

/// <summary>What says how far a stream is trimmed.</summary>
internal enum TrimBound : byte
{
    /// <summary>Nothing: it is not.</summary>
    None,

    /// <summary>The most entries that stay (MAXLEN).</summary>
    Length,

    /// <summary>The lowest id that stays (MINID).</summary>
    Id,
}
