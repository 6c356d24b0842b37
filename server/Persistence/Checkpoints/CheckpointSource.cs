using Strata.Server.Rdb;
using Strata.Storage.Snapshot;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>The entries of a checkpoint, which are put into the index first, and then the RDB file within it. The pages
/// are there already.</summary>
internal sealed class CheckpointSource : IRdbSource, IDisposable
{
    private readonly CheckpointReader _reader;
    private readonly CheckpointReader _entries;
    private readonly CheckpointRecovery? _recovery;
    private readonly List<CheckpointCount> _counts = [];
    private int _taken;

    /// <summary>Opens a file.</summary>
    /// <param name="path">Where it lies.</param>
    /// <param name="recovery">Where entries go; null where they are only looked at.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="RdbException">It is damaged.</exception>
    public CheckpointSource(string path, CheckpointRecovery? recovery)
    {
        // Each part is read once, and its checksum looked at: entries by their own reader, and pages, where they count,
        // when they were put back.
        _reader = new CheckpointReader(path)
        {
            Passed = recovery == null
                ? [CheckpointPart.Entries]
                : [CheckpointPart.Entries, CheckpointPart.Pages],
        };
        try
        {
            _entries = new CheckpointReader(path);
        }
        catch
        {
            _reader.Dispose();
            throw;
        }

        _recovery = recovery;
    }

    /// <summary>How long the file is.</summary>
    public long Length => _reader.Length;

    /// <summary>Bytes of it that were read.</summary>
    public long ReadBytes => _entries.ReadBytes + _reader.ReadBytes;

    /// <summary>Keys that stand in the index alone.</summary>
    public long Entries { get; private set; }

    /// <summary>Pages that they lie in, where they are only looked at.</summary>
    public long Pages { get; private set; }

    /// <summary>Puts some entries into the index, before the RDB is read.</summary>
    /// <returns>Whether there may be more.</returns>
    /// <exception cref="IOException">They cannot be read.</exception>
    /// <exception cref="RdbException">The file is damaged.</exception>
    public bool TryAddEntries()
    {
        if (_entries.Kind == CheckpointPart.End || !_entries.TryNext(CheckpointPart.Entries))
        {
            return false;
        }

        AddEntries();
        return true;
    }

    /// <inheritdoc/>
    /// <exception cref="RdbException">The file is damaged.</exception>
    public int Read(Span<byte> target)
    {
        while (_reader.Kind != CheckpointPart.Rdb || _taken == _reader.Part.Length)
        {
            if (!TryNext())
            {
                return 0;
            }
        }

        var bytes = _reader.Part[_taken..];
        bytes = bytes[..Math.Min(bytes.Length, target.Length)];
        bytes.CopyTo(target);
        _taken += bytes.Length;
        return bytes.Length;
    }

    /// <summary>The RDB was read: deals with what follows it, and looks whether all keys are there.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="RdbException">The file is damaged.</exception>
    public void Finish()
    {
        if (_reader.Kind == CheckpointPart.Rdb && _taken < _reader.Part.Length)
        {
            throw _reader.Damage("something follows the data");
        }

        while (TryNext())
        {
            if (_reader.Kind == CheckpointPart.Rdb)
            {
                throw _reader.Damage("something follows the data");
            }
        }

        foreach (var count in _counts)
        {
            if (_recovery?.TryEndDatabase(
                count.Shard,
                count.Database,
                count.Keys,
                count.Expiring,
                count.TimeLeftMs,
                _reader.Header.AtMs) == false)
            {
                throw _reader.Damage($"shard {count.Shard} has not the {count.Keys} keys that it must have");
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _reader.Dispose();
        _entries.Dispose();
    }

    private bool TryNext()
    {
        _taken = 0;
        if (!_reader.TryNext())
        {
            return false;
        }

        switch (_reader.Kind)
        {
            case CheckpointPart.Pages:
                Pages += _reader.Part.Length / CheckpointFormat.PageBytes;
                break;
            case CheckpointPart.Counts:
                AddCounts();
                break;
        }

        return true;
    }

    private void AddCounts()
    {
        for (var rows = _reader.Part; rows.Length > 0; rows = rows[CheckpointFormat.CountBytes..])
        {
            var count = CheckpointCount.Read(rows);
            if (count.Shard >= _reader.Header.Shards)
            {
                throw _reader.Damage($"there is no shard {count.Shard}");
            }

            _counts.Add(count);
        }
    }

    private void AddEntries()
    {
        for (var rows = _entries.Part; rows.Length > 0; rows = rows[CheckpointFormat.EntryBytes..])
        {
            Entries++;
            var entry = BitConverter.ToUInt64(rows);
            if (_recovery?.TryAddEntry(_entries.Shard, entry, rows[sizeof(ulong)]) == false)
            {
                throw _entries.Damage("an entry points to a page that is not there");
            }
        }
    }
}
