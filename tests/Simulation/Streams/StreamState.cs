using System.Collections.Immutable;
using System.Text;
using Strata.Storage.Collections.Streams;

namespace Strata.Tests.Simulation.Streams;

/// <summary>A stream at one moment. It is never changed, only replaced.</summary>
internal sealed record StreamState
{
    /// <summary>The entries, with their fields as a reply has them.</summary>
    public ImmutableSortedDictionary<StreamId, string> Entries { get; init; }
        = ImmutableSortedDictionary<StreamId, string>.Empty;

    /// <summary>The highest id that an entry has had.</summary>
    public StreamId LastId { get; init; }

    /// <summary>The highest id that was deleted one by one.</summary>
    public StreamId MaxDeletedId { get; init; }

    /// <summary>Entries that were ever added.</summary>
    public long Added { get; init; }

    /// <summary>The groups by their names.</summary>
    public ImmutableSortedDictionary<string, GroupState> Groups { get; init; }
        = ImmutableSortedDictionary.Create<string, GroupState>(StringComparer.Ordinal);

    /// <summary>The first entry's id; 0 where there are none.</summary>
    public StreamId FirstId => Entries.IsEmpty ? default : Entries.Keys.First();

    /// <summary>The stream with another group in the place of one of its name, or beside the others.</summary>
    public StreamState With(string name, GroupState group) => this with { Groups = Groups.SetItem(name, group) };

    /// <summary>The stream with only its last entries.</summary>
    public StreamState Trimmed(int length)
        => Entries.Count <= length ? this
            : this with { Entries = Entries.RemoveRange(Entries.Keys.Take(Entries.Count - length)) };

    /// <summary>The stream without the entries before an id.</summary>
    public StreamState Trimmed(StreamId first)
        => this with { Entries = Entries.RemoveRange(Entries.Keys.TakeWhile(id => id < first)) };

    /// <summary>How many entries were added up to an id; null where that cannot be told, which is as in Redis: it is
    /// known at both ends alone, and there only while nothing was deleted from the midst.</summary>
    public long? AddedUpTo(StreamId id)
        => Added == 0 ? 0
            : id == LastId || (Entries.IsEmpty && id < LastId) ? Added
            : id > LastId || (MaxDeletedId != default && MaxDeletedId >= FirstId) ? null
            : id < FirstId ? Added - Entries.Count
            : id == FirstId ? Added - Entries.Count + 1
            : null;

    /// <summary>Whether entries may be missing between an id and the end.</summary>
    public bool HasGapsFrom(StreamId id)
        => !Entries.IsEmpty && MaxDeletedId != default && FirstId <= MaxDeletedId && id <= MaxDeletedId;

    /// <summary>How many entries a group has not read; null where that cannot be told.</summary>
    public long? LagOf(GroupState group)
        => Added == 0 ? 0
            : group.Read is { } read && !HasGapsFrom(group.LastId) ? Added - read
            : Added - AddedUpTo(group.LastId);

    /// <inheritdoc/>
    public override string ToString()
    {
        var text = new StringBuilder($"x {Text(LastId)} {Text(MaxDeletedId)} {Added}: ")
            .AppendJoin(' ', Entries.Select(entry => Text(entry.Key) + entry.Value));
        foreach (var (name, group) in Groups)
        {
            var pending = group.Pending.Select(entry => $"{Text(entry.Key)} {entry.Value}");
            _ = text.Append($" {name}: {Text(group.LastId)} {group.Read?.ToString() ?? "?"} ").AppendJoin(' ', pending);
        }

        return text.ToString();
    }

    /// <summary>An id as it is answered.</summary>
    public static string Text(StreamId id) => $"{id.Ms}-{id.Seq}";
}
