using System.Text;
using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Server.Scripting.Functions;
using Strata.Server.Versions;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>A snapshot as an RDB file.</summary>
internal sealed class RdbForm : SnapshotForm
{
    private readonly MemoryBudget _budget;
    private readonly bool _compresses;
    private readonly bool _withChecksum;
    private readonly bool _isBase;
    private readonly UsageTold _usage;
    private readonly DateTimeOffset _at;
    private readonly bool[] _isNamed = new bool[Limits.MaxDatabases];
    private readonly int _version;
    private ISnapshotFile? _file;
    private RdbFileWriter? _writer;

    /// <summary>Notes the moment.</summary>
    /// <param name="server">The server.</param>
    /// <param name="isBase">Whether the file is the base of an append-only file.</param>
    /// <param name="version">The version that it is begun with.</param>
    public RdbForm(ServerContext server, bool isBase, int version = RdbFormat.OrdinaryVersion)
    {
        _version = version;
        var options = server.Configuration.Current;
        _budget = server.Shards.Budget;
        _compresses = options.RdbCompression;
        _withChecksum = options.RdbChecksum;
        _at = server.Platform.Clock.GetUtcNow();
        _isBase = isBase;
        _usage = UsageTold.By(options, _at);
    }

    /// <inheritdoc/>
    public override long Length => _writer?.Length ?? 0;

    /// <inheritdoc/>
    public override IEntryWriter NewEntries() => new RdbEntries(_budget, _compresses, _usage);

    /// <inheritdoc/>
    public override void Begin(ISnapshotFile file, LibrarySet libraries)
    {
        _file = file;
        _writer = new RdbFileWriter(file, _budget, _withChecksum);
        _writer.Begin(_version);
        _writer.Aux("redis-ver"u8, Encoding.ASCII.GetBytes(RedisCompatibility.Version));
        _writer.Aux("redis-bits"u8, 64);
        _writer.Aux("ctime"u8, _at.ToUnixTimeSeconds());
        _writer.Aux("used-mem"u8, _budget.UsedBytes);
        _writer.Aux("aof-base"u8, _isBase ? 1 : 0);
        foreach (var library in libraries.Libraries)
        {
            _writer.Function(library.Code);
        }
    }

    /// <inheritdoc/>
    public override void Select(int database, long keys, long expiring)
    {
        if (_isNamed[database])
        {
            _writer!.SelectDatabase(database);
        }
        else
        {
            _writer!.SelectDatabase(database, keys, expiring);
            _isNamed[database] = true;
        }
    }

    /// <inheritdoc/>
    public override void Append(in SnapshotBlock block) => _writer!.Append(block.Output.Written);

    /// <inheritdoc/>
    public override void End(int version)
    {
        if (_writer!.End(version) is { } patch)
        {
            _file!.WriteOver(patch.Offset, patch.Bytes);
        }
    }

    /// <inheritdoc/>
    public override void Dispose() => _writer?.Dispose();
}
