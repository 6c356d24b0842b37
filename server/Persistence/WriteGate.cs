namespace Strata.Server.Persistence;

/// <summary>Whether commands may change data, as far as its being saved goes.</summary>
internal enum WriteGate
{
    /// <summary>They may.</summary>
    Open,

    /// <summary>They wait: too much waits to be written, or the last snapshot before the end is under way.</summary>
    Held,

    /// <summary>They are refused: the last snapshot has failed, and the data is to be saved by itself.</summary>
    Refused,

    /// <summary>They are refused: the last snapshot before the end is done.</summary>
    Ended,
}
