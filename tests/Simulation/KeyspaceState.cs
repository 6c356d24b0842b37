using System.Globalization;
using System.Text;

namespace Strata.Tests.Simulation;

/// <summary>
/// What a server holds at one moment: its keys, when they and fields of hashes expire, and what clients watch. Values
/// are never changed, only replaced, so that a copy is cheap: strings, lists of strings, sorted maps and sorted sets.
/// Times are milliseconds since 1970.
/// </summary>
internal sealed class KeyspaceState
{
    private readonly SortedDictionary<string, object> _values = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, long> _deadlines = new(StringComparer.Ordinal);
    private readonly SortedDictionary<(string Key, string Field), long> _fieldDeadlines = [];
    private readonly SortedSet<string> _watches = new(StringComparer.Ordinal);
    private readonly SortedSet<int> _dirty = [];

    public KeyspaceState()
    {
    }

    private KeyspaceState(KeyspaceState other)
    {
        _values = new(other._values, StringComparer.Ordinal);
        _deadlines = new(other._deadlines, StringComparer.Ordinal);
        _fieldDeadlines = new(other._fieldDeadlines);
        _watches = new(other._watches, StringComparer.Ordinal);
        _dirty = [.. other._dirty];
    }

    /// <summary>Whether anything, watches too, was changed since the copy was made.</summary>
    public bool IsChanged { get; private set; }

    public KeyspaceState Copy() => new(this);

    /// <summary>All of it as text; equal for equal states.</summary>
    public string Print()
    {
        var text = new StringBuilder();
        foreach (var (key, value) in _values)
        {
            _ = text.Append(key).Append('=').Append(Text(value));
            if (_deadlines.TryGetValue(key, out var deadlineMs))
            {
                _ = text.Append(" until ").Append(deadlineMs);
            }

            _ = text.Append('\n');
        }

        return text.AppendJoin(' ', _fieldDeadlines).Append('|').AppendJoin(' ', _watches).Append('|')
            .AppendJoin(' ', _dirty).ToString();
    }

    public bool Has(string key) => _values.ContainsKey(key);

    /// <summary>A key's value; null when there is none.</summary>
    public object? Get(string key) => _values.GetValueOrDefault(key);

    /// <summary>Gives a key another value; when it expires stays as it was.</summary>
    public void Put(string key, object value)
    {
        _values[key] = value;
        Touch(key);
    }

    /// <summary>Makes a key what it is by a value and a deadline alone, whatever it was.</summary>
    public void Replace(string key, object value, long? deadlineMs)
    {
        _ = Remove(key);
        Put(key, value);
        SetDeadline(key, deadlineMs);
    }

    /// <summary>Gives a key another value, or removes it when its collection is empty.</summary>
    public void PutOrRemove(string key, object value, int count)
    {
        if (count == 0)
        {
            _ = Remove(key);
        }
        else
        {
            Put(key, value);
        }
    }

    /// <summary>Removes a key with all that belongs to it.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(string key)
    {
        var isRemoved = _values.Remove(key);
        if (isRemoved)
        {
            _ = _deadlines.Remove(key);
            foreach (var field in _fieldDeadlines.Keys.Where(field => field.Key == key).ToList())
            {
                _ = _fieldDeadlines.Remove(field);
            }

            Touch(key);
        }

        return isRemoved;
    }

    /// <summary>Removes all keys.</summary>
    public void Clear()
    {
        foreach (var key in _values.Keys.ToList())
        {
            _ = Remove(key);
        }

        MarkChanged();
    }

    /// <summary>Notes that a request might have changed something, by what it answered, even if it has not now.
    /// </summary>
    public void MarkChanged() => IsChanged = true;

    /// <summary>When a key expires; null when it does not.</summary>
    public long? DeadlineOf(string key) => _deadlines.TryGetValue(key, out var ms) ? ms : null;

    /// <summary>Sets when a key that is there expires, or, with null, that it does not.</summary>
    public void SetDeadline(string key, long? deadlineMs)
    {
        _ = _deadlines.Remove(key);
        if (deadlineMs is { } ms)
        {
            _deadlines.Add(key, ms);
        }

        Touch(key);
    }

    /// <summary>When a field expires; null when it does not.</summary>
    public long? DeadlineOf(string key, string field)
        => _fieldDeadlines.TryGetValue((key, field), out var ms) ? ms : null;

    /// <summary>Sets when a field expires, or, with null, that it does not.</summary>
    public void SetDeadline(string key, string field, long? deadlineMs)
    {
        _ = _fieldDeadlines.Remove((key, field));
        if (deadlineMs is { } ms)
        {
            _fieldDeadlines.Add((key, field), ms);
        }
    }

    /// <summary>The deadlines of keys and fields from <paramref name="fromMs"/> on, before <paramref name="untilMs"/>,
    /// each once.</summary>
    public IEnumerable<long> DeadlinesIn(long fromMs, long untilMs)
        => _deadlines.Values.Concat(_fieldDeadlines.Values)
            .Where(ms => ms >= fromMs && ms < untilMs).Distinct().Order();

    /// <summary>Takes out the keys and fields whose time has come at <paramref name="nowMs"/>.</summary>
    public void Expire(long nowMs)
    {
        foreach (var key in _deadlines.Where(pair => pair.Value < nowMs).Select(pair => pair.Key).ToList())
        {
            _ = Remove(key);
        }

        foreach (var (key, field) in
            _fieldDeadlines.Where(pair => pair.Value < nowMs).Select(pair => pair.Key).ToList())
        {
            _ = _fieldDeadlines.Remove((key, field));
            var hash = new SortedDictionary<string, string>(
                (SortedDictionary<string, string>)_values[key], StringComparer.Ordinal);
            _ = hash.Remove(field);
            PutOrRemove(key, hash, hash.Count);
        }
    }

    /// <summary>WATCH.</summary>
    public void Watch(int client, string key)
    {
        _ = _watches.Add($"{client}:{key}");
        IsChanged = true;
    }

    /// <summary>EXEC: forgets what a client watches.</summary>
    /// <returns>Whether any of it was changed.</returns>
    public bool EndWatch(int client)
    {
        var prefix = $"{client}:";
        IsChanged |= _watches.RemoveWhere(watch => watch.StartsWith(prefix, StringComparison.Ordinal)) > 0;
        return _dirty.Remove(client);
    }

    private static string Text(object value) => value switch
    {
        string text => text,
        List<string> list => "l " + string.Join(' ', list),
        SortedSet<string> set => "t " + string.Join(' ', set),
        _ => "h " + string.Join(' ', (SortedDictionary<string, string>)value),
    };

    private void Touch(string key)
    {
        IsChanged = true;
        foreach (var watch in _watches)
        {
            if (watch.EndsWith(":" + key, StringComparison.Ordinal))
            {
                var client = watch.AsSpan(0, watch.IndexOf(':', StringComparison.Ordinal));
                _ = _dirty.Add(int.Parse(client, CultureInfo.InvariantCulture));
            }
        }
    }
}
