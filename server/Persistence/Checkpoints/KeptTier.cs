using System.Globalization;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Storage.Index;
using Strata.Storage.Snapshot;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>The checkpoint that the journal begins with at a start: looked at before anything is hashed; its pages are
/// put back when the shards are there, all else by <see cref="RdbLoader"/>.</summary>
internal sealed class KeptTier
{
    private readonly CheckpointHeader _header;

    private KeptTier(string path, CheckpointHeader header)
    {
        Path = path;
        _header = header;
    }

    /// <summary>Where it lies.</summary>
    public string Path { get; }

    /// <summary>Takes entries; null before the pages are put back.</summary>
    public CheckpointRecovery? Recovery { get; private set; }

    /// <summary>Looks at a checkpoint, and takes over the secrets of the hash.</summary>
    /// <param name="path">Where it lies.</param>
    /// <param name="options">The configuration, which must fit it.</param>
    /// <exception cref="StartupException">It is damaged, or does not fit.</exception>
    public static KeptTier Open(string path, ServerOptions options)
    {
        try
        {
            using var reader = new CheckpointReader(path);
            var header = reader.Header;
            RequireSame(path, "shards", header.Shards, options.Shards);
            RequireSame(path, "segment-size", 1L << header.SegmentBits, options.SegmentSizeBytes);
            if (!HashSecrets.TryRestore(header.Secrets))
            {
                throw new StartupException(
                    ExitCode.Resources,
                    $"Cannot start: '{path}' belongs to another set of keys' hashes than this process already uses: "
                    + "start it in a process of its own");
            }

            return new KeptTier(path, header);
        }
        catch (Exception exception) when (exception is RdbException or IOException)
        {
            throw Refused(path, exception.Message);
        }
    }

    /// <summary>Puts the pages back, and which database is which.</summary>
    /// <returns>The numbers on the device of the segments that hold them.</returns>
    /// <exception cref="StartupException">They cannot be.</exception>
    public HashSet<long> RestorePages(ServerContext server)
    {
        try
        {
            using var reader = new CheckpointReader(Path);
            var recovery = new CheckpointRecovery(server.Shards);
            while (reader.TryNext(CheckpointPart.Pages))
            {
                AddPages(reader, recovery, server.Databases);
            }

            if (!server.Databases.TryRestore(_header.Numbers))
            {
                throw new RdbException(
                    $"it has databases that were exchanged beyond the {server.Databases.Count} of the configuration: "
                    + "raise 'databases'", 0);
            }

            Span<byte> salt = stackalloc byte[sizeof(uint)];
            server.Platform.FillSecret(salt);
            recovery.EndPages(BitConverter.ToUInt32(salt) >> 1, out var problem);
            if (problem != null)
            {
                throw new StartupException(
                    ExitCode.Data,
                    $"Cannot start: the files of the tier are not those that '{Path}' names: {problem}. Nothing was "
                    + "served or changed: put the missing files back, or start from a backup");
            }

            Recovery = recovery;
            return [.. server.Shards.Tier!.Checkpoints.Named()];
        }
        catch (Exception exception) when (exception is RdbException or IOException or OutOfMemoryException)
        {
            throw Refused(Path, exception.Message);
        }
    }

    private static void AddPages(CheckpointReader reader, CheckpointRecovery recovery, DatabaseMap databases)
    {
        for (var rows = reader.Part; rows.Length > 0; rows = rows[CheckpointFormat.PageBytes..])
        {
            var page = CheckpointFormat.ReadPage(rows);
            var database = reader.Header.Numbers[page.Database];
            if (!databases.Has(database))
            {
                throw new RdbException(
                    $"it has keys of database {database}, and the server only {databases.Count} databases: raise "
                    + "'databases'", reader.PartOffset);
            }

            if (!recovery.TryAddPage(reader.Shard, page))
            {
                throw reader.Damage("it names a page that cannot be");
            }
        }
    }

    private static void RequireSame(string path, string name, long kept, long configured)
    {
        if (kept != configured)
        {
            throw new StartupException(
                ExitCode.Configuration,
                string.Create(CultureInfo.InvariantCulture, $"Cannot start: '{path}' was made with '{name}' {kept}, ")
                + string.Create(CultureInfo.InvariantCulture, $"and the configuration has {configured}: set '{name}' ")
                + "to what it was; to change it, save the data with SAVE, move the journal's folder and that of the "
                + "tier away, and start from the RDB file");
        }
    }

    private static StartupException Refused(string path, string problem) => new(
        ExitCode.Data,
        $"Cannot start: '{path}' cannot be loaded: {problem}. Nothing of it was served, and it is as it was. Look at "
        + $"it with strata-server --check-aof {path}; put a whole copy in its place, or move the folders of the "
        + "journal and of the tier away to start without data");
}
