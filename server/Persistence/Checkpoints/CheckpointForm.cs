using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Server.Scripting.Functions;
using Strata.Storage;
using Strata.Storage.Index;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>A snapshot as a checkpoint: of what is on the device places alone, all else as an RDB file, in parts.
/// </summary>
internal sealed class CheckpointForm : SnapshotForm
{
    private readonly RdbForm _rdb;
    private readonly CheckpointHeader _header;
    private readonly byte[] _counts;
    private CheckpointWriter? _writer;

    /// <summary>Notes the moment, for which all leases are held.</summary>
    /// <param name="server">The server.</param>
    /// <param name="numbers">The clients' numbers of the databases by their physical ones.</param>
    public CheckpointForm(ServerContext server, int[] numbers)
    {
        // What is written cannot be changed, as its version would have to be where a key needs a newer one.
        _rdb = new RdbForm(server, isBase: true, RdbFormat.NewestVersion);
        var atMs = server.Platform.Clock.GetUtcNow().ToUnixTimeMilliseconds();
        Span<byte> salt = stackalloc byte[sizeof(ulong)];
        server.Platform.FillSecret(salt);
        _header = new CheckpointHeader(
            server.Shards.Count,
            server.Shards.Tier!.SegmentBits,
            atMs,
            BitConverter.ToUInt64(salt),
            HashSecrets.Current.ToArray(),
            [.. numbers.Select(static number => (byte)number)]);
        _counts = CountsOf(server, atMs);
    }

    /// <inheritdoc/>
    public override long Length => _writer?.Length ?? 0;

    /// <inheritdoc/>
    public override IEntryWriter NewEntries() => _rdb.NewEntries();

    /// <inheritdoc/>
    public override void Begin(ISnapshotFile file, LibrarySet libraries)
    {
        _writer = new CheckpointWriter(file, _header.Salt);
        _writer.Begin(_header);
        _writer.Part(CheckpointPart.Counts, 0, _counts);
        _rdb.Begin(new RdbParts(_writer), libraries);
    }

    /// <inheritdoc/>
    public override void Select(int database, long keys, long expiring) => _rdb.Select(database, keys, expiring);

    /// <inheritdoc/>
    public override void Append(in SnapshotBlock block)
    {
        switch (block.Content)
        {
            case BlockContent.Pages:
                _writer!.Part(CheckpointPart.Pages, block.Shard, block.Output.Written);
                break;
            case BlockContent.Entries:
                _writer!.Part(CheckpointPart.Entries, block.Shard, block.Output.Written);
                break;
            default:
                _rdb.Append(block);
                break;
        }
    }

    /// <inheritdoc/>
    public override void End(int version)
    {
        _rdb.End(version);
        _writer!.End();
    }

    /// <inheritdoc/>
    public override void Dispose() => _rdb.Dispose();

    private static byte[] CountsOf(ServerContext server, long atMs)
    {
        var counts = new MemoryStream();
        Span<byte> row = stackalloc byte[CheckpointFormat.CountBytes];
        foreach (var shard in server.Shards.All)
        {
            for (var database = 0; database < Limits.MaxDatabases; database++)
            {
                var number = (byte)database;
                if (shard.Databases.Keys(number) > 0)
                {
                    new CheckpointCount(
                        shard.Number,
                        number,
                        shard.Databases.Keys(number),
                        shard.Databases.Expires(number),
                        shard.Databases.TimeLeftMs(number, atMs)).Write(row);
                    counts.Write(row);
                }
            }
        }

        return counts.ToArray();
    }

    /// <summary>The RDB file within the checkpoint.</summary>
    private sealed class RdbParts(CheckpointWriter writer) : ISnapshotFile
    {
        /// <inheritdoc/>
        public void Write(ReadOnlySpan<byte> bytes) => writer.Part(CheckpointPart.Rdb, 0, bytes);

        /// <inheritdoc/>
        public void WriteOver(long offset, ReadOnlySpan<byte> bytes)
            => Invariant.Check(false, "a checkpoint is written in order");

        /// <inheritdoc/>
        public void EndPart()
        {
            // It has no parts that could be read without the others.
        }

        /// <inheritdoc/>
        public void Commit()
        {
            // The whole file's is to be called.
        }

        /// <inheritdoc/>
        public void Discard()
        {
            // Likewise.
        }
    }
}
