using Strata.Server.Persistence.Checkpoints;
using Strata.Server.Rdb;
using Strata.Storage.Log;
using Strata.Storage.Snapshot;

namespace Strata.Server.Persistence;

/// <summary>Makes of the keys of one shard what is written to the file. Used under the shard's lease.</summary>
internal sealed class ShardEntries : ICheckpointSink, IDisposable
{
    private readonly SnapshotQueue _queue;
    private readonly int[] _numbers;
    private readonly RdbOutput?[] _outputs;
    private readonly IEntryWriter _entries;
    private readonly IEntryWriter _streamed;
    private readonly int _shard;
    private RdbOutput? _stream;
    private RdbOutput? _pages;
    private RdbOutput? _index;

    /// <summary>Nothing yet.</summary>
    /// <param name="queue">Where they go.</param>
    /// <param name="numbers">The clients' numbers of the databases by their physical ones, at the snapshot's moment.
    /// </param>
    /// <param name="form">How the file is written.</param>
    /// <param name="shard">The shard's number.</param>
    public ShardEntries(SnapshotQueue queue, int[] numbers, SnapshotForm form, int shard)
    {
        _shard = shard;
        _queue = queue;
        _numbers = numbers;
        _outputs = new RdbOutput?[numbers.Length];
        _entries = form.NewEntries();
        _streamed = form.NewEntries();
    }

    /// <summary>Keys taken; any thread may read it.</summary>
    public long Keys { get; private set; }

    /// <summary>The version of the format that the keys need.</summary>
    public int Version { get; private set; } = RdbFormat.OrdinaryVersion;

    /// <inheritdoc/>
    public bool IsFull => _queue.IsFullFor(this);

    /// <inheritdoc/>
    public void Write(in Record record)
    {
        var number = _numbers[record.Database];
        var output = _outputs[number] ??= _queue.Rent();
        _entries.Begin(record, output);
        while (!_entries.Step(record, output, int.MaxValue))
        {
            // Each goes on.
        }

        Count(record);
        if (output.Length >= ServerLimits.SnapshotBlockBytes)
        {
            _outputs[number] = null;
            _queue.Add(new SnapshotBlock(output, number, StandsByItself: true));
        }
    }

    /// <inheritdoc/>
    public void WritePage(in KeptPage page)
    {
        _pages ??= _queue.Rent();
        CheckpointFormat.Write(_pages, page);
        if (_pages.Length >= ServerLimits.SnapshotBlockBytes)
        {
            Add(ref _pages, BlockContent.Pages);
        }
    }

    /// <inheritdoc/>
    public void WriteEntry(ulong entry, byte bucketBits)
    {
        _index ??= _queue.Rent();
        CheckpointFormat.Write(_index, entry, bucketBits);
        Keys++;
        if (_index.Length >= ServerLimits.SnapshotBlockBytes)
        {
            Add(ref _index, BlockContent.Entries);
        }
    }

    /// <inheritdoc/>
    public bool TryBegin(in Record record)
    {
        if (!_queue.TryOpenStream(this))
        {
            return false;
        }

        _stream = _queue.Rent();
        _streamed.Begin(record, _stream);
        return true;
    }

    /// <inheritdoc/>
    public bool Step(in Record record, int effort)
    {
        var isWhole = _streamed.Step(record, _stream!, effort);
        if (isWhole || _stream!.Length >= ServerLimits.SnapshotBlockBytes)
        {
            _queue.AddToStream(
                new SnapshotBlock(_stream!, _numbers[record.Database], _streamed.StandsByItself), isWhole);
            _stream = isWhole ? null : _queue.Rent();
        }

        if (isWhole)
        {
            Count(record);
        }

        return isWhole;
    }

    /// <inheritdoc/>
    public void End()
    {
        Add(ref _pages, BlockContent.Pages);
        Add(ref _index, BlockContent.Entries);
        for (var number = 0; number < _outputs.Length; number++)
        {
            if (_outputs[number] is { } output)
            {
                _outputs[number] = null;
                _queue.Add(new SnapshotBlock(output, number, StandsByItself: true));
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var output in _outputs)
        {
            output?.Dispose();
        }

        _stream?.Dispose();
        _pages?.Dispose();
        _index?.Dispose();
        _entries.Dispose();
        _streamed.Dispose();
    }

    private void Add(ref RdbOutput? rows, BlockContent content)
    {
        if (rows != null)
        {
            _queue.Add(new SnapshotBlock(rows, 0, StandsByItself: true) { Content = content, Shard = _shard });
            rows = null;
        }
    }

    private void Count(in Record record)
    {
        Keys++;
        Version = Math.Max(Version, RdbValueWriter.VersionOf(record));
    }
}
