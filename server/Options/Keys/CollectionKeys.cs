using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about how hashes, lists, sets, sorted sets and HyperLogLogs are stored: how small one must be to be
/// packed into one record.</summary>
public static class CollectionKeys
{
    public static readonly ConfigurationKey HashMaxListpackEntries = new(
        "hash-max-listpack-entries",
        new IntegerSyntax(0, long.MaxValue),
        "512",
        "The most fields of a hash that is packed into one record.")
    {
        Alias = "hash-max-ziplist-entries",
    };

    public static readonly ConfigurationKey HashMaxListpackValue = new(
        "hash-max-listpack-value",
        new MemorySyntax(0),
        "64",
        "The longest field or value, in bytes, of a hash that is packed.")
    {
        Alias = "hash-max-ziplist-value",
    };

    public static readonly ConfigurationKey ListMaxListpackSize = new(
        "list-max-listpack-size",
        new IntegerSyntax(int.MinValue, int.MaxValue),
        "-2",
        "Up to which size OBJECT ENCODING calls a list a listpack: a number of elements, or -1 to -5 for 4, 8, 16, 32 "
        + "or 64 KB.")
    {
        Alias = "list-max-ziplist-size",
    };

    public static readonly ConfigurationKey ListCompressDepth = new(
        "list-compress-depth",
        new IntegerSyntax(0, int.MaxValue),
        "0",
        "How many nodes at each end of a list Redis leaves uncompressed. Accepted; lists are not compressed.");

    public static readonly ConfigurationKey StreamNodeMaxBytes = new(
        "stream-node-max-bytes",
        new MemorySyntax(0),
        "4096",
        "How large a block of a stream's entries becomes, bytes as Redis counts them, before another is begun: what is "
        + "trimmed with ~ goes in whole blocks. 0, and more than 64 KB, are 64 KB.");

    public static readonly ConfigurationKey StreamNodeMaxEntries = new(
        "stream-node-max-entries",
        new IntegerSyntax(0, long.MaxValue),
        "100",
        "How many entries a block of a stream has, with those deleted from it, before another is begun; 0 for any "
        + "number.");

    public static readonly ConfigurationKey SetMaxIntsetEntries = new(
        "set-max-intset-entries",
        new IntegerSyntax(0, long.MaxValue),
        "512",
        "The most members of a set of integers that is packed as such.");

    public static readonly ConfigurationKey SetMaxListpackEntries = new(
        "set-max-listpack-entries",
        new IntegerSyntax(0, long.MaxValue),
        "128",
        "The most members of a set that is packed into one record.");

    public static readonly ConfigurationKey SetMaxListpackValue = new(
        "set-max-listpack-value",
        new IntegerSyntax(0, long.MaxValue),
        "64",
        "The longest member, in bytes, of a set that is packed.");

    public static readonly ConfigurationKey ZsetMaxListpackEntries = new(
        "zset-max-listpack-entries",
        new IntegerSyntax(0, long.MaxValue),
        "128",
        "The most members of a sorted set that is packed into one record.")
    {
        Alias = "zset-max-ziplist-entries",
    };

    public static readonly ConfigurationKey ZsetMaxListpackValue = new(
        "zset-max-listpack-value",
        new MemorySyntax(0),
        "64",
        "The longest member, in bytes, of a sorted set that is packed.")
    {
        Alias = "zset-max-ziplist-value",
    };

    public static readonly ConfigurationKey HllSparseMaxBytes = new(
        "hll-sparse-max-bytes",
        new MemorySyntax(0),
        "3000",
        "The most bytes of a HyperLogLog whose registers are kept as runs of equal ones; longer, it takes 12 KB.");

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Collections",
        [
            HashMaxListpackEntries, HashMaxListpackValue, ListMaxListpackSize, ListCompressDepth, SetMaxIntsetEntries,
            SetMaxListpackEntries, SetMaxListpackValue, ZsetMaxListpackEntries, ZsetMaxListpackValue,
            HllSparseMaxBytes, StreamNodeMaxBytes, StreamNodeMaxEntries,
        ]);
}
