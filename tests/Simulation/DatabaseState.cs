using System.Text;
using Strata.Tests.Simulation.Streams;

namespace Strata.Tests.Simulation;

/// <summary>What a database holds at one moment: its keys, and when they and fields of hashes expire. Values are never
/// changed, only replaced, so that a copy is cheap: strings, lists of strings, sorted maps, sorted sets and streams.
/// Times are milliseconds since 1970.</summary>
internal sealed class DatabaseState
{
    public SortedDictionary<string, object> Values { get; } = new(StringComparer.Ordinal);

    public SortedDictionary<string, long> Deadlines { get; } = new(StringComparer.Ordinal);

    public SortedDictionary<(string Key, string Field), long> FieldDeadlines { get; } = [];

    public DatabaseState()
    {
    }

    public DatabaseState(DatabaseState other)
    {
        Values = new(other.Values, StringComparer.Ordinal);
        Deadlines = new(other.Deadlines, StringComparer.Ordinal);
        FieldDeadlines = new(other.FieldDeadlines);
    }

    /// <summary>Removes a key with all that belongs to it.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(string key)
    {
        var isRemoved = Values.Remove(key);
        if (isRemoved)
        {
            _ = Deadlines.Remove(key);
            foreach (var field in FieldDeadlines.Keys.Where(field => field.Key == key).ToList())
            {
                _ = FieldDeadlines.Remove(field);
            }
        }

        return isRemoved;
    }

    /// <summary>Takes out the keys and fields whose time has come at <paramref name="nowMs"/>.</summary>
    /// <returns>The keys that were changed.</returns>
    public List<string> Expire(long nowMs)
    {
        var changed = Deadlines.Where(pair => pair.Value < nowMs).Select(pair => pair.Key).ToList();
        changed.ForEach(key => Remove(key));
        foreach (var (key, field) in
            FieldDeadlines.Where(pair => pair.Value < nowMs).Select(pair => pair.Key).ToList())
        {
            _ = FieldDeadlines.Remove((key, field));
            var hash = new SortedDictionary<string, string>(
                (SortedDictionary<string, string>)Values[key], StringComparer.Ordinal);
            _ = hash.Remove(field);
            Values[key] = hash;
            changed.Add(key);
            if (hash.Count == 0)
            {
                _ = Remove(key);
            }
        }

        return changed;
    }

    /// <summary>All of it as text; equal for equal states.</summary>
    public void Print(StringBuilder text)
    {
        foreach (var (key, value) in Values)
        {
            _ = text.Append(key).Append('=').Append(Text(value));
            if (Deadlines.TryGetValue(key, out var deadlineMs))
            {
                _ = text.Append(" until ").Append(deadlineMs);
            }

            _ = text.Append('\n');
        }

        _ = text.AppendJoin(' ', FieldDeadlines).Append('|');
    }

    private static string Text(object value) => value switch
    {
        string text => text,
        List<string> list => "l " + string.Join(' ', list),
        StreamState stream => stream.ToString(),
        SortedSet<string> set => "t " + string.Join(' ', set),
        _ => "h " + string.Join(' ', (SortedDictionary<string, string>)value),
    };
}
