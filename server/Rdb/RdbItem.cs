namespace Strata.Server.Rdb;

/// <summary>What comes next in an RDB file.</summary>
internal enum RdbItem : byte
{
    /// <summary>Something that is told of the file.</summary>
    Aux,

    /// <summary>A library of functions.</summary>
    Function,

    /// <summary>A key, whose value follows.</summary>
    Key,

    /// <summary>Nothing: the file was read to its end, and its checksum is right.</summary>
    End,
}
