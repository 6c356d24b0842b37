using Strata.Storage.Log;

namespace Strata.Storage.Collections.Streams;

/// <summary>A stream as its record holds it, packed or large, to be read until its next change. The default stands for
/// a stream that is not there. What is no entry or group can be asked of a frozen one, too. Under the lease.</summary>
public readonly unsafe struct StreamView
{
    private readonly StreamRoot* _root;
    private readonly byte* _packed;

    /// <summary>The stream of a record, or of none.</summary>
    public StreamView(in Record record)
    {
        if (record.IsNull)
        {
            return;
        }

        if (record.IsLarge)
        {
            _root = (StreamRoot*)ShardCollections.RootOf(record);
        }
        else
        {
            _packed = record.ValuePointer;
        }
    }

    /// <summary>Entries.</summary>
    public long Count => _root != null ? _root->Count : _packed != null ? PackedStream.CountOf(_packed) : 0;

    /// <summary>The highest id an entry has had, or that was set.</summary>
    public StreamId LastId => Meta.LastId;

    /// <summary>The first entry's id; 0 where there are none.</summary>
    public StreamId FirstId => Meta.FirstId;

    /// <summary>The highest id that was deleted one by one.</summary>
    public StreamId MaxDeletedId => Meta.MaxDeletedId;

    /// <summary>Entries that were ever added.</summary>
    public long EntriesAdded => Meta.EntriesAdded;

    /// <summary>Nodes that Redis would have.</summary>
    public long NodeCount
        => _root != null ? _root->Blocks.Count : _packed != null ? PackedStream.BlocksOf(_packed) : 0;

    /// <summary>Groups of consumers.</summary>
    public long GroupCount => _root != null ? _root->Groups.Count : 0;

    /// <summary>Bytes of a large stream; 0 of others.</summary>
    public long LargeBytes => _root != null ? _root->Weight : 0;

    /// <summary>Bytes of a large stream's entries, without its groups; 0 of a packed one.</summary>
    public long EntryBytes => _root != null ? _root->EntryBytes : 0;

    /// <summary>Whether a consumer was seen at another time than it got something, which old versions of the format of
    /// files cannot say.</summary>
    public bool HasUnevenConsumers
        => _root != null ? _root->UnevenConsumers > 0 : _packed != null && PackedStream.IsUneven(_packed);

    /// <summary>All groups, in the order of their names.</summary>
    public GroupCursor Groups => new(_root != null ? _root->Groups.First : default);

    internal StreamMeta Meta
        => _root != null ? _root->Meta : _packed != null ? *PackedStream.MetaOf(_packed) : default;

    /// <summary>The id of the last entry, if there are any.</summary>
    public bool TryLast(out StreamId id)
    {
        var cursor = Walk(StreamId.Min, StreamId.Max, isReverse: true);
        var isThere = cursor.TryNext();
        id = isThere ? cursor.Id : default;
        return isThere;
    }

    /// <summary>Whether there is an entry with an id.</summary>
    public bool Contains(StreamId id)
    {
        var cursor = Walk(id, id);
        return cursor.TryNext();
    }

    /// <summary>Stands before the first entry of a range.</summary>
    /// <param name="from">The lowest id in it.</param>
    /// <param name="to">The highest id in it.</param>
    /// <param name="isReverse">Whether the entries are wanted from the highest down.</param>
    public StreamCursor Walk(StreamId from, StreamId to, bool isReverse = false)
    {
        if (_root != null)
        {
            return new StreamCursor(_root, from, to, isReverse);
        }

        return _packed == null ? default : new StreamCursor(PackedStream.BlockOf(_packed), from, to, isReverse);
    }

    /// <summary>Looks for a group.</summary>
    public bool TryFindGroup(scoped ReadOnlySpan<byte> name, out StreamGroup group)
    {
        var named = _root != null ? _root->Groups.Find(name) : null;
        group = named == null ? default : new StreamGroup(GroupBlock.Of(named));
        return named != null;
    }

    /// <summary>The groups from a name on.</summary>
    public GroupCursor GroupsFrom(scoped ReadOnlySpan<byte> name)
        => new(_root != null ? _root->Groups.From(name) : default);

    /// <summary>How many entries a group has read whose last one has some id, as far as that can be told: -1 if not.
    /// It can where nothing was deleted from the midst of the stream behind that id.</summary>
    public long CountUpTo(StreamId id) => CountUpTo(Meta, Count, id);

    /// <inheritdoc cref="CountUpTo(StreamId)"/>
    internal static long CountUpTo(in StreamMeta meta, long count, StreamId id)
    {
        if (meta.EntriesAdded == 0)
        {
            return 0;
        }

        if (count == 0 && id <= meta.LastId)
        {
            return meta.EntriesAdded;
        }

        if (id > meta.LastId || (!id.IsZero && id < meta.MaxDeletedId))
        {
            return -1;
        }

        if (id == meta.LastId)
        {
            return meta.EntriesAdded;
        }

        var hasGaps = !meta.MaxDeletedId.IsZero && meta.MaxDeletedId >= meta.FirstId;
        return hasGaps || id > meta.FirstId ? -1
            : meta.EntriesAdded - count + (id == meta.FirstId ? 1 : 0);
    }
}
