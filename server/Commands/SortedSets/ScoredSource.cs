using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.SortedSets;

/// <summary>One of the sets that ZUNION and its like take: a sorted set, a set, whose members count as of score 1, or
/// nothing.</summary>
internal readonly struct ScoredSource : IComparable<ScoredSource>
{
    private readonly Record _record;
    private readonly int _position;

    private ScoredSource(in Record record, long count, int position)
    {
        _record = record;
        _position = position;
        Count = count;
    }

    /// <summary>Members; 0 where there is no set.</summary>
    public long Count { get; }

    /// <summary>What its scores are multiplied by.</summary>
    public double Weight { get; init; } = 1;

    /// <summary>Its place among the keys.</summary>
    public int Position => _position;

    /// <summary>How much it is to go through, as <see cref="StepEffort"/> counts.</summary>
    public long Effort => StepEffort.Of(
        Count,
        Count,
        Count == 0 ? 0 : IsSet ? new SetReader(_record).LargeBytes : new SortedSetReader(_record).LargeBytes);

    /// <summary>Whether its members have no scores.</summary>
    public bool IsSet => _record.Type == RecordType.Set;

    /// <summary>Looks a key up; answers the error when it is no set.</summary>
    /// <param name="context">The command.</param>
    /// <param name="key">The key.</param>
    /// <param name="position">Its place among the keys.</param>
    /// <param name="source">The set.</param>
    public static bool TryOpen(CommandContext context, in Key key, int position, out ScoredSource source)
    {
        var isSet = context.TryPeek(key, out var record) && record.Type == RecordType.Set;
        var type = isSet ? RecordType.Set : RecordType.SortedSet;
        var lookup = context.ReadCollection(key, type, out record);
        if (lookup == Lookup.WrongType)
        {
            source = default;
            context.Reply.Error(Errors.WrongType);
            return false;
        }

        var count = lookup == Lookup.Missing ? 0
            : isSet ? new SetReader(record).Count
            : new SortedSetReader(record).Count;
        source = new ScoredSource(record, count, position);
        return true;
    }

    /// <summary>One that a command in steps goes through, as it has looked it up in this step.</summary>
    public static ScoredSource Of(in PassSource source)
        => new(source.Record, source.Count, source.Argument) { Weight = source.Weight };

    /// <summary>Finds a member's score, without its weight.</summary>
    public bool TryGetScore(ReadOnlySpan<byte> member, out double score)
    {
        score = 1;
        return Count > 0
            && (IsSet
                ? new SetReader(_record).Contains(member)
                : new SortedSetReader(_record).TryGetScore(member, out score));
    }

    /// <summary>Goes over the members.</summary>
    public ScoredWalk Walk()
        => Count == 0 ? default
            : IsSet ? new ScoredWalk(new SetReader(_record))
            : new ScoredWalk(new SortedSetReader(_record));

    /// <summary>The smaller set comes first, of two alike the one that was named first.</summary>
    public int CompareTo(ScoredSource other)
    {
        var order = Count.CompareTo(other.Count);
        return order != 0 ? order : _position.CompareTo(other._position);
    }
}
