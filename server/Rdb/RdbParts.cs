namespace Strata.Server.Rdb;

/// <summary>What a value in RDB is made of.</summary>
internal enum RdbParts : byte
{
    /// <summary>One string.</summary>
    One,

    /// <summary>A number, and as many elements.</summary>
    Elements,

    /// <summary>A number, and as many strings that hold elements.</summary>
    Nodes,

    /// <summary>Likewise, and in front of each whether it is an element itself.</summary>
    MarkedNodes,

    /// <summary>What a stream is made of (<see cref="StreamValueReader"/>).</summary>
    Stream,
}
