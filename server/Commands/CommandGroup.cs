namespace Strata.Server.Commands;

/// <summary>The groups of the Redis command reference.</summary>
public enum CommandGroup
{
    String,
    Bitmap,
    List,
    Set,
    SortedSet,
    Hash,
    PubSub,
    Transactions,
    Generic,
    Connection,
    Server,
}
