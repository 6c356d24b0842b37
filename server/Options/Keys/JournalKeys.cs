using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about the journal, Redis's append-only file.</summary>
public static class JournalKeys
{
    public static readonly ConfigurationKey AppendOnly = new(
        "appendonly",
        new YesNoSyntax(),
        "no",
        "Whether each change is written to a file that is appended to, from which the next start has the data.");

    public static readonly ConfigurationKey AppendFileName = new(
        "appendfilename",
        new FileNameSyntax("file name", "appendfilename can't be a path, just a filename"),
        "appendonly.aof",
        "What the names of these files begin with.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey AppendDirName = new(
        "appenddirname",
        new FileNameSyntax("folder name", "appenddirname can't be a path, just a dirname"),
        "appendonlydir",
        "The folder in dir that they are in.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey AppendFsync = new(
        "appendfsync",
        new EnumerationSyntax("everysec", "always", "no"),
        "everysec",
        "When what was written is brought to the disk: always (before it is answered), everysec (each second, so that "
        + "one can be lost when the machine fails, and some milliseconds when the process is killed), no (when the "
        + "system likes to).");

    public static readonly ConfigurationKey LoadTruncated = new(
        "aof-load-truncated",
        new YesNoSyntax(),
        "yes",
        "Whether a file that ends in the midst of a change is cut to what is whole; otherwise it ends the start.");

    public static readonly ConfigurationKey TimestampEnabled = new(
        "aof-timestamp-enabled",
        new YesNoSyntax(),
        "no",
        "Whether the time is noted among the changes, each second in which there are some.");

    public static readonly ConfigurationKey UseRdbPreamble = new(
        "aof-use-rdb-preamble",
        new YesNoSyntax(),
        "yes",
        "Whether a rewrite (BGREWRITEAOF) writes the data as in an RDB file, which is shorter and loaded faster, and "
        + "not as commands. With a tier it is a checkpoint, whatever this says.");

    public static readonly ConfigurationKey RewriteIncrementalFsync = new(
        "aof-rewrite-incremental-fsync",
        new YesNoSyntax(),
        "yes",
        "Whether what a rewrite writes goes to the disk as it is written, every 32 MB, rather than all at its end.");

    public static readonly ConfigurationKey AutoRewritePercentage = new(
        "auto-aof-rewrite-percentage",
        new IntegerSyntax(0, int.MaxValue),
        "100",
        "By how much of their size after the last rewrite, or at the start, the files have grown when they are "
        + "rewritten by themselves, in percent; 0 is never."
        + " Likewise when files of the tier that are kept for the last rewrite alone take this share of those in use.");

    public static readonly ConfigurationKey AutoRewriteMinSize = new(
        "auto-aof-rewrite-min-size",
        new MemorySyntax(0),
        "64mb",
        "How large the files are at least when they are rewritten by themselves.");

    public static readonly ConfigurationKey NoAppendfsyncOnRewrite = new(
        "no-appendfsync-on-rewrite",
        new YesNoSyntax(),
        "no",
        "Whether nothing is brought to the disk, as with appendfsync no, while the data is saved or the files are "
        + "rewritten.");

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Journal (append-only file)",
        [
            AppendOnly,
            AppendFsync,
            AppendFileName,
            AppendDirName,
            LoadTruncated,
            TimestampEnabled,
            AutoRewritePercentage,
            AutoRewriteMinSize,
            NoAppendfsyncOnRewrite,
            UseRdbPreamble,
            RewriteIncrementalFsync,
        ]);
}
