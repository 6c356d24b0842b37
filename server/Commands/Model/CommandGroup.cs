namespace Strata.Server.Commands.Model;

/// <summary>The groups of the Redis command reference.</summary>
public enum CommandGroup
{
    String,
    Bitmap,
    List,
    Set,
    SortedSet,
    Hash,
    HyperLogLog,
    Geo,
    Stream,
    PubSub,
    Transactions,
    Scripting,
    Generic,
    Connection,
    Server,
    Cluster,
}
