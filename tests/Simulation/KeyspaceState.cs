using System.Globalization;
using System.Text;

namespace Strata.Tests.Simulation;

/// <summary>What a server holds at one moment: the database that clients use, another one that takes its place by
/// SWAPDB, and what clients watch.</summary>
internal sealed class KeyspaceState
{
    private readonly SortedSet<string> _watches = new(StringComparer.Ordinal);
    private readonly SortedSet<int> _dirty = [];
    private readonly SortedSet<int> _doubtful = [];
    private readonly SortedSet<string> _expired = new(StringComparer.Ordinal);
    private DatabaseState _used = new();
    private DatabaseState _other = new();

    public KeyspaceState()
    {
    }

    private KeyspaceState(KeyspaceState other)
    {
        _used = new(other._used);
        _other = new(other._other);
        _watches = new(other._watches, StringComparer.Ordinal);
        _dirty = [.. other._dirty];
        _doubtful = [.. other._doubtful];
        _expired = new(other._expired, StringComparer.Ordinal);
    }

    /// <summary>Whether anything, watches too, was changed since the copy was made.</summary>
    public bool IsChanged { get; private set; }

    public KeyspaceState Copy() => new(this);

    /// <summary>All of it as text; equal for equal states.</summary>
    public string Print()
    {
        var text = new StringBuilder();
        _used.Print(text);
        if (_other.Values.Count > 0)
        {
            _ = text.Append("in the other database:\n");
            _other.Print(text);
        }

        return text.AppendJoin(' ', _watches).Append('|').AppendJoin(' ', _dirty).Append('|')
            .AppendJoin(' ', _doubtful).Append('|').AppendJoin(' ', _expired).ToString();
    }

    public bool Has(string key) => _used.Values.ContainsKey(key);

    /// <summary>A key's value; null when there is none.</summary>
    public object? Get(string key) => _used.Values.GetValueOrDefault(key);

    /// <summary>Gives a key another value; when it expires stays as it was.</summary>
    public void Put(string key, object value)
    {
        _used.Values[key] = value;
        Touch(key);
    }

    /// <summary>Gives a key another value, of which nobody is told who watches it.</summary>
    public void PutUnwatched(string key, object value)
    {
        _used.Values[key] = value;
        IsChanged = true;
    }

    /// <summary>Gives the value of a key, and its deadline, another key.</summary>
    /// <returns>Whether it was there.</returns>
    public bool TryRename(string source, string target)
    {
        if (Get(source) is not { } value)
        {
            return false;
        }

        var deadlineMs = DeadlineOf(source);
        _ = Remove(source);
        Replace(target, value, deadlineMs);
        return true;
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
        var isRemoved = _used.Remove(key);
        if (isRemoved)
        {
            Touch(key);
        }

        return isRemoved;
    }

    /// <summary>Removes a key of the database that clients do not use.</summary>
    /// <returns>Whether it was there.</returns>
    public bool RemoveOther(string key) => _other.Remove(key);

    /// <summary>Removes all keys.</summary>
    public void Clear()
    {
        foreach (var key in _used.Values.Keys.ToList())
        {
            _ = Remove(key);
        }

        _other = new();
        MarkChanged();
    }

    /// <summary>SWAPDB. Whoever watches a key that is in either database is told. A key whose time has come may still
    /// be there for the server: of that nothing is known.</summary>
    public void Exchange()
    {
        foreach (var watch in _watches)
        {
            var (client, key) = Parts(watch);
            if (_used.Values.ContainsKey(key) || _other.Values.ContainsKey(key))
            {
                _ = _dirty.Add(client);
            }
            else if (_expired.Contains(key))
            {
                _ = _doubtful.Add(client);
            }
        }

        (_used, _other) = (_other, _used);
        MarkChanged();
    }

    /// <summary>Notes that a request might have changed something, by what it answered, even if it has not now.
    /// </summary>
    public void MarkChanged() => IsChanged = true;

    /// <summary>When a key expires; null when it does not.</summary>
    public long? DeadlineOf(string key) => _used.Deadlines.TryGetValue(key, out var ms) ? ms : null;

    /// <summary>Sets when a key that is there expires, or, with null, that it does not.</summary>
    public void SetDeadline(string key, long? deadlineMs)
    {
        _ = _used.Deadlines.Remove(key);
        if (deadlineMs is { } ms)
        {
            _used.Deadlines.Add(key, ms);
        }

        Touch(key);
    }

    /// <summary>When a field expires; null when it does not.</summary>
    public long? DeadlineOf(string key, string field)
        => _used.FieldDeadlines.TryGetValue((key, field), out var ms) ? ms : null;

    /// <summary>Sets when a field expires, or, with null, that it does not.</summary>
    public void SetDeadline(string key, string field, long? deadlineMs)
    {
        _ = _used.FieldDeadlines.Remove((key, field));
        if (deadlineMs is { } ms)
        {
            _used.FieldDeadlines.Add((key, field), ms);
        }
    }

    /// <summary>The deadlines of keys and fields from <paramref name="fromMs"/> on, before <paramref name="untilMs"/>,
    /// each once.</summary>
    public IEnumerable<long> DeadlinesIn(long fromMs, long untilMs)
        => _used.Deadlines.Values.Concat(_used.FieldDeadlines.Values)
            .Concat(_other.Deadlines.Values).Concat(_other.FieldDeadlines.Values)
            .Where(ms => ms >= fromMs && ms < untilMs).Distinct().Order();

    /// <summary>Takes out the keys and fields whose time has come at <paramref name="nowMs"/>.</summary>
    public void Expire(long nowMs)
    {
        foreach (var key in _used.Expire(nowMs))
        {
            Touch(key);
            _ = _expired.Add(key);
        }

        foreach (var key in _other.Expire(nowMs))
        {
            MarkChanged();
            _ = _expired.Add(key);
        }
    }

    /// <summary>WATCH.</summary>
    public void Watch(int client, string key)
    {
        _ = _watches.Add($"{client}:{key}");
        IsChanged = true;
    }

    /// <summary>EXEC: forgets what a client watches.</summary>
    /// <returns>Whether any of it was changed; null when that is not known.</returns>
    public bool? EndWatch(int client)
    {
        var prefix = $"{client}:";
        IsChanged |= _watches.RemoveWhere(watch => watch.StartsWith(prefix, StringComparison.Ordinal)) > 0;
        var isDoubtful = _doubtful.Remove(client);
        return _dirty.Remove(client) ? true : isDoubtful ? null : false;
    }

    private static (int Client, string Key) Parts(string watch)
    {
        var colon = watch.IndexOf(':', StringComparison.Ordinal);
        return (int.Parse(watch.AsSpan(0, colon), CultureInfo.InvariantCulture), watch[(colon + 1)..]);
    }

    private void Touch(string key)
    {
        IsChanged = true;
        foreach (var watch in _watches)
        {
            if (watch.EndsWith(":" + key, StringComparison.Ordinal))
            {
                _ = _dirty.Add(Parts(watch).Client);
            }
        }
    }
}
