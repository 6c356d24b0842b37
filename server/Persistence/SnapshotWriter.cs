using Strata.Server.Journal.Files;
using Strata.Server.Persistence.Checkpoints;
using Strata.Server.Runtime;
using Strata.Server.Scripting.Functions;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Snapshot;

namespace Strata.Server.Persistence;

/// <summary>
/// Writes a snapshot to its file, on a thread of its own, which alone waits for the disk. What else belongs to the
/// snapshot's moment (which database is which, functions, counts) is noted when it is made.
/// </summary>
internal sealed class SnapshotWriter : ISnapshotOutput, IDisposable
{
    private readonly SnapshotRequest _request;
    private readonly ServerContext _server;
    private readonly SnapshotQueue _queue;
    private readonly ShardEntries[] _shards;
    private readonly LibrarySet _libraries;
    private readonly (long Keys, long Expiring)[] _counts;
    private readonly SnapshotForm _form;
    private readonly Action<SnapshotOutcome> _onEnded;
    private ISnapshotFile? _file;
    private string? _error;
    private volatile SnapshotFailure? _failure;
    private int _database = -1;

    /// <summary>Notes the moment. All leases are held.</summary>
    /// <param name="server">The server.</param>
    /// <param name="libraries">Its functions.</param>
    /// <param name="request">What is wanted.</param>
    /// <param name="onEnded">Told of the end, on whatever thread.</param>
    public SnapshotWriter(
        ServerContext server, LibrarySet libraries, SnapshotRequest request, Action<SnapshotOutcome> onEnded)
    {
        var options = server.Configuration.Current;
        _server = server;
        _request = request;
        _libraries = libraries;
        _onEnded = onEnded;
        var budget = server.Shards.Budget;
        _queue = new SnapshotQueue(budget, options.SnapshotBufferBytes);
        var numbers = new int[Limits.MaxDatabases];
        _counts = new (long, long)[Limits.MaxDatabases];
        for (var physical = 0; physical < numbers.Length; physical++)
        {
            numbers[physical] = server.Databases.LogicalOf((byte)physical);
            _counts[numbers[physical]] = CountOf((byte)physical);
        }

        _form = request.Base switch
        {
            JournalBaseKind.Checkpoint => new CheckpointForm(server, numbers),
            JournalBaseKind.Commands => new CommandForm(budget),
            _ => new RdbForm(server, isBase: request.Base != null),
        };
        Keys = _counts.Sum(static count => count.Keys);
        _shards = new ShardEntries[server.Shards.Count];
        for (var i = 0; i < _shards.Length; i++)
        {
            _shards[i] = new ShardEntries(_queue, numbers, _form, i);
        }
    }

    /// <summary>The walk, which fails with the file.</summary>
    public SnapshotWalk Walk { get; set; } = null!;

    /// <summary>Keys at the moment, those with them whose time has come.</summary>
    public long Keys { get; }

    /// <summary>Keys taken by now.</summary>
    public long KeysTaken => _shards.Sum(static shard => shard.Keys);

    /// <summary>The most memory that it took beside the data, bytes.</summary>
    public long PeakBytes => _queue.PeakBytes;

    /// <summary>Whether who changes keys is to wait until some of what waits is written.</summary>
    public bool HoldsBack => _queue.HoldsBack;

    /// <inheritdoc/>
    public ISnapshotSink SinkOf(int shard) => _shards[shard];

    /// <inheritdoc/>
    public void OnWalked(SnapshotFailure? failure)
    {
        _failure = failure;
        _queue.Close();
    }

    /// <summary>Writes on a thread of its own.</summary>
    public void Start()
        => new DedicatedThread("snapshot", () =>
        {
            ThreadScheduling.ShortenTurns(ServerLimits.BackgroundTurnNs);
            while (!TryWrite(waits: true))
            {
                // It waits for what is to be written.
            }
        }).Start();

    /// <summary>Writes what there is.</summary>
    /// <param name="waits">Whether to wait for more.</param>
    /// <returns>Whether that was all, and the end has been told.</returns>
    public bool TryWrite(bool waits)
    {
        Do(Begin);
        bool isEmpty;
        while (_queue.TryTake(out var block, waits, out isEmpty))
        {
            Do(() => Write(block));
            _queue.Return(block.Output);
        }

        if (isEmpty)
        {
            return false;
        }

        if (_failure == null)
        {
            Do(Finish);
        }

        End();
        return true;
    }

    private void Begin()
    {
        if (_file != null)
        {
            return;
        }

        _file = _request.Open();
        _form.Begin(_file, _libraries);
    }

    private void Write(in SnapshotBlock block)
    {
        if (block.Content == BlockContent.Keys && block.Database != _database)
        {
            _database = block.Database;
            _form.Select(_database, _counts[_database].Keys, _counts[_database].Expiring);
        }

        _form.Append(block);
    }

    private void Finish()
    {
        _form.End(_shards.Max(static shard => shard.Version));
        _file!.Commit();
    }

    /// <summary>Does a part of the work, unless an earlier one has failed.</summary>
    private void Do(Action part)
    {
        if (_error != null)
        {
            return;
        }

        try
        {
            part();
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or MemoryExhaustedException)
        {
            _error = exception.Message.TrimEnd('.');
            Walk.Fail(new SnapshotFailure(_error));
        }
    }

    private void End()
    {
        var error = _error ?? _failure?.Reason;
        if (error != null)
        {
            error = Discard(error);
        }

        var outcome = new SnapshotOutcome(
            error, _error == null && _failure?.Cleared != null, _form.Length, KeysTaken);
        Dispose();
        _onEnded(outcome);
    }

    /// <summary>Gives back all memory; by whoever has written the file.</summary>
    public void Dispose()
    {
        _form.Dispose();
        foreach (var shard in _shards)
        {
            shard.Dispose();
        }

        _queue.Free();
    }

    private string Discard(string error)
    {
        try
        {
            _file?.Discard();
            return error;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return $"{error}; and what was written could not be removed: {exception.Message.TrimEnd('.')}";
        }
    }

    private (long Keys, long Expiring) CountOf(byte database)
    {
        var (keys, expiring) = (0L, 0L);
        foreach (var shard in _server.Shards.All)
        {
            keys += shard.Databases.Keys(database);
            expiring += shard.Databases.Expires(database);
        }

        return (keys, expiring);
    }
}
