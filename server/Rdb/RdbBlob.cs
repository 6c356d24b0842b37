namespace Strata.Server.Rdb;

/// <summary>What a string is that holds the elements of a collection.</summary>
internal enum RdbBlob : byte
{
    /// <summary>There is none.</summary>
    None,
    Listpack,
    Ziplist,
    Zipmap,
    Intset,
}
