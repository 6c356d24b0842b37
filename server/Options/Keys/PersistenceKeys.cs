using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about the file that the data is saved to.</summary>
public static class PersistenceKeys
{
    public static readonly ConfigurationKey Save = new(
        "save",
        new NumbersSyntax("seconds changes ...", CheckSavePoints),
        "3600 1 300 100 60 10000",
        "When the data is saved by itself, as it is then when the server stops, too: pairs of seconds since it was "
        + "saved last and of changes since then, both of which must have come together. The first line of a conf file "
        + "takes the place of the default, others add to it; \"\" is never.")
    {
        AddsUp = true,
    };

    public static readonly ConfigurationKey DbFileName = new(
        "dbfilename",
        new FileNameSyntax("file name", "dbfilename can't be a path, just a filename"),
        "dump.rdb",
        "The file in 'dir' that the data is saved to, and loaded from at start; in Redis's format.")
    {
        Change = ChangeRule.Protected,
    };

    public static readonly ConfigurationKey StopWritesOnBgsaveError = new(
        "stop-writes-on-bgsave-error",
        new YesNoSyntax(),
        "yes",
        "Whether commands that change data are refused after the data was to be saved by itself and could not be, "
        + "until it is saved.");

    public static readonly ConfigurationKey RdbCompression = new(
        "rdbcompression",
        new YesNoSyntax(),
        "yes",
        "Whether strings are packed in the file (LZF).");

    public static readonly ConfigurationKey RdbChecksum = new(
        "rdbchecksum",
        new YesNoSyntax(),
        "yes",
        "Whether the file ends with a checksum, and that of a file is looked at before it is served.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey RdbSaveIncrementalFsync = new(
        "rdb-save-incremental-fsync",
        new YesNoSyntax(),
        "yes",
        "Whether the file goes to the disk as it is written, every 32 MB, rather than all at its end.");

    public static readonly ConfigurationKey SnapshotBuffer = new(
        "snapshot-buffer",
        new MemorySyntax(1 << 20),
        "64mb",
        "How much that is to be written to the file may wait in memory for the disk, of maxmemory. When it is more, "
        + "whoever changes data waits.");

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Saving the data",
        [
            Save, DbFileName, StopWritesOnBgsaveError, RdbCompression, RdbChecksum, RdbSaveIncrementalFsync,
            SnapshotBuffer,
        ]);

    private static string CheckSavePoints(IReadOnlyList<long?> numbers)
    {
        // Of each pair the seconds are at least 1, the changes at least 0.
        var isRight = numbers.Count % 2 == 0
            && !numbers.Where((number, at) => number is null || number < (at % 2 == 0 ? 1 : 0)).Any();
        return isRight ? "" : "Invalid save parameters";
    }
}
