using Strata.Server.Options.Syntax;
using Strata.Storage;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about data that is larger than memory.</summary>
public static class TierKeys
{
    public static readonly ConfigurationKey StorageTier = new(
        "storage-tier",
        new YesNoSyntax(),
        "no",
        "Whether data that does not fit into maxmemory is kept in files in 'dir'. With appendonly they are data, too, "
        + "and are taken up by the next start; without, they do not outlive the process. "
        + "Nothing is evicted then: maxmemory-policy has no effect.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey SegmentSize = new(
        "segment-size",
        new MemorySyntax(Limits.MinTierSegmentBytes, Limits.MaxTierSegmentBytes) { IsPowerOfTwo = true },
        "64mb",
        "The size of one of these files, a power of two. Space on disk is found again a file at a time; each shard "
        + "fills one.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey DeviceIoBackend = new(
        "device-io-backend",
        new EnumerationSyntax("auto", "io_uring", "libaio", "managed"),
        "auto",
        "How these files are read and written. auto takes the first of io_uring, libaio and managed that runs here; "
        + "one that is named must run, or the server does not start.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey DeviceThrottleLimit = new(
        "device-throttle-limit",
        new IntegerSyntax(1, Limits.MaxQueueDepth),
        "120",
        "How many reads and writes of these files a worker has under way at a time.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey CompactionGarbagePercent = new(
        "compaction-garbage-percent",
        new IntegerSyntax(1, 99),
        "50",
        "A file is emptied when more than this share of it is garbage: the less, the less disk is used, and the more "
        + "is written.");

    public static readonly ConfigurationKey CopyReadsToTail = new(
        "copy-reads-to-tail",
        new YesNoSyntax(),
        "no",
        "Whether what is read from disk a second time goes back to memory. Good where some keys are read much more "
        + "than others.");

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Data larger than memory",
        [StorageTier, SegmentSize, DeviceIoBackend, DeviceThrottleLimit, CompactionGarbagePercent, CopyReadsToTail]);
}
