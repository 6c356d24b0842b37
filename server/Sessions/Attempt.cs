namespace Strata.Server.Sessions;

/// <summary>What became of the attempt to execute a command.</summary>
internal enum Attempt : byte
{
    /// <summary>It was executed, or refused: there is a reply.</summary>
    Done,

    /// <summary>A lease it needs is taken. Nothing was done.</summary>
    LeaseTaken,

    /// <summary>The databases were exchanged since its key was hashed. Nothing was done.</summary>
    Stale,

    /// <summary>A record it needs is on the device alone, and was asked for. Nothing was done.</summary>
    Cold,

    /// <summary>Memory it needs is on its way to be free. Nothing was done.</summary>
    NoRoomYet,
}
