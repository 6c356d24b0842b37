
namespace Strata.Server.Execution;

/// <summary>What became of the attempt to execute a command.</summary>
internal enum Attempt : byte
{
    /// <summary>It was executed, or refused: there is a reply.</summary>
    Done,

    /// <summary>A lease it needs is taken. Nothing was done.</summary>
    LeaseTaken,

    /// <summary>A script needs more leases than are held for it. Nothing was done.</summary>
    BeyondLeases,

    /// <summary>A client waits for what one of its keys has, and came before. Nothing was done.</summary>
    NotItsTurn,

    /// <summary>A record it needs is on the device alone, and was asked for. Nothing was done.</summary>
    Cold,

    /// <summary>There will soon be the memory it needs. Nothing was done.</summary>
    NoRoom,

    /// <summary>Its reply, or a value that it makes, has found no memory, and keys may be given up for it. Nothing was
    /// done.</summary>
    WantsRoom,

    /// <summary>No key it waits for has what it wants: it blocks until one may have. Nothing was done.</summary>
    Blocked,

    /// <summary>It takes long, and goes on in another turn. What was done of it is done.</summary>
    Unfinished,
}
