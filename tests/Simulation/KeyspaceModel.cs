using System.Globalization;
using System.Text;

namespace Strata.Tests.Simulation;

/// <summary>
/// The keys as a server that executes one command after the other has them, and what clients watch. Values are never
/// changed, only replaced, so that a copy is cheap: strings, lists of strings, sorted maps and sorted sets.
/// </summary>
internal sealed class KeyspaceModel
{
    private readonly SortedDictionary<string, object> _values;
    private readonly SortedSet<string> _watches;
    private readonly SortedSet<int> _dirty;

    public KeyspaceModel()
        : this(new(StringComparer.Ordinal), new(StringComparer.Ordinal), [])
    {
    }

    private KeyspaceModel(SortedDictionary<string, object> values, SortedSet<string> watches, SortedSet<int> dirty)
    {
        _values = values;
        _watches = watches;
        _dirty = dirty;
    }

    /// <summary>Whether anything, watches too, was changed since the copy was made.</summary>
    public bool IsChanged { get; private set; }

    public KeyspaceModel Copy()
        => new(new(_values, StringComparer.Ordinal), new(_watches, StringComparer.Ordinal), [.. _dirty]);

    /// <summary>All of it as text; equal for equal states.</summary>
    public string Print()
    {
        var text = new StringBuilder();
        foreach (var (key, value) in _values)
        {
            _ = text.Append(key).Append('=').Append(Text(value)).Append('\n');
        }

        return text.AppendJoin(' ', _watches).Append('|').AppendJoin(' ', _dirty).ToString();
    }

    /// <summary>Executes a request if it could have answered this.</summary>
    /// <param name="operation">The request.</param>
    /// <param name="mayRefuse">Whether memory or the disk may have been short.</param>
    /// <returns>False when it could not; what it has changed until then is of no use.</returns>
    public bool TryApply(Operation operation, bool mayRefuse)
    {
        var reply = operation.Reply == null ? null : ReplyText.Of(operation.Reply);
        if (operation.Request.IsTransaction)
        {
            return TryApplyTransaction(operation, reply, mayRefuse);
        }

        if (mayRefuse && reply != null && ReplyText.IsRefusal(reply))
        {
            return true;
        }

        var expected = Apply(operation.Client, operation.Request.Commands[0], reply);
        return reply == null ? expected != null : reply == expected;
    }

    private static string Text(object value) => value switch
    {
        string text => text,
        List<string> list => "l " + string.Join(' ', list),
        SortedSet<string> set => "t " + string.Join(' ', set),
        _ => "h " + string.Join(' ', (SortedDictionary<string, string>)value),
    };

    private bool TryApplyTransaction(Operation operation, string? reply, bool mayRefuse)
    {
        var isDirty = _dirty.Remove(operation.Client);
        var prefix = $"{operation.Client}:";
        IsChanged |= _watches.RemoveWhere(watch => watch.StartsWith(prefix, StringComparison.Ordinal)) > 0;
        if (mayRefuse && reply != null && ReplyText.IsRefusal(reply))
        {
            return true;
        }

        if (isDirty || reply == ReplyText.Null)
        {
            return isDirty && (reply == null || reply == ReplyText.Null);
        }

        for (var i = 0; i < operation.Request.Commands.Count; i++)
        {
            var item = reply == null ? null : ReplyText.Of(operation.Reply!.Items[i]);
            if (mayRefuse && item != null && ReplyText.IsRefusal(item))
            {
                continue;
            }

            var expected = Apply(operation.Client, operation.Request.Commands[i], item);
            if (item != null && item != expected)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Executes a command.</summary>
    /// <returns>What it answers; null when it would wait.</returns>
    private string? Apply(int client, string[] command, string? reply)
    {
        switch (command[0])
        {
            case "WATCH":
                _ = _watches.Add($"{client}:{command[1]}");
                IsChanged = true;
                return ReplyText.Ok;
            case "DEL":
                return Number(command.Skip(1).Count(Remove));
            case "EXISTS":
                return Number(command.Skip(1).Count(_values.ContainsKey));
            case "MGET":
                return ReplyText.Array(command.Skip(1).Select(key =>
                    _values.GetValueOrDefault(key) is string text ? "$" + text : ReplyText.Null));
            case "MSET":
                return MultiSet(command);
            case "MSETNX":
                return _values.ContainsKey(command[1]) || _values.ContainsKey(command[3])
                    ? Number(0)
                    : MultiSet(command) == ReplyText.Ok ? Number(1) : null;
            case "SET":
                Put(command[1], command[2]);
                return ReplyText.Ok;
            case "BLPOP":
                return BlockingPop(command, reply);
            default:
                return command[0][0] switch
                {
                    'G' or 'I' or 'A' => OfString(command),
                    'H' => OfHash(command),
                    'S' when command[0] == "STRLEN" => OfString(command),
                    'S' => OfSet(command),
                    _ => OfList(command),
                };
        }
    }

    private string MultiSet(string[] command)
    {
        for (var i = 1; i < command.Length; i += 2)
        {
            Put(command[i], command[i + 1]);
        }

        return ReplyText.Ok;
    }

    // One that waited until its time was over answers nil: at some moment none of its keys held a list.
    private string? BlockingPop(string[] command, string? reply)
    {
        var keys = command[1..^1];
        if (reply == ReplyText.Null)
        {
            return keys.Any(key => _values.GetValueOrDefault(key) is List<string>) ? null : reply;
        }

        if (keys.FirstOrDefault(_values.ContainsKey) is not { } found)
        {
            return null;
        }

        if (_values[found] is not List<string> list)
        {
            return ReplyText.WrongType;
        }

        PutList(found, list[1..]);
        return ReplyText.Array(["$" + found, "$" + list[0]]);
    }

    private string OfString(string[] command)
    {
        var key = command[1];
        if (_values.TryGetValue(key, out var value) && value is not string)
        {
            return ReplyText.WrongType;
        }

        var text = (string?)value;
        switch (command[0])
        {
            case "GET":
                return text == null ? ReplyText.Null : "$" + text;
            case "STRLEN":
                return Number(text?.Length ?? 0);
            case "APPEND":
                Put(key, text + command[2]);
                return Number((text + command[2]).Length);
            default:
                if (!TryParse(text ?? "0", out var number))
                {
                    return "-ERR";
                }

                Put(key, (number + 1).ToString(CultureInfo.InvariantCulture));
                return Number(number + 1);
        }
    }

    private string OfHash(string[] command)
    {
        var key = command[1];
        if (_values.TryGetValue(key, out var value) && value is not SortedDictionary<string, string>)
        {
            return ReplyText.WrongType;
        }

        var hash = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, content) in (SortedDictionary<string, string>?)value ?? [])
        {
            hash.Add(name, content);
        }

        var field = command.Length > 2 ? command[2] : "";
        var old = hash.GetValueOrDefault(field);
        switch (command[0])
        {
            case "HGET":
                return old == null ? ReplyText.Null : "$" + old;
            case "HGETALL":
                return ReplyText.Array(hash.SelectMany(pair => new[] { "$" + pair.Key, "$" + pair.Value })
                    .Order(StringComparer.Ordinal));
            case "HDEL":
                if (hash.Remove(field))
                {
                    PutOrRemove(key, hash, hash.Count);
                }

                return Number(old == null ? 0 : 1);
            case "HSET":
                hash[field] = command[3];
                Put(key, hash);
                return Number(old == null ? 1 : 0);
            default:
                var number = long.Parse(old ?? "0", CultureInfo.InvariantCulture) + 1;
                hash[field] = number.ToString(CultureInfo.InvariantCulture);
                Put(key, hash);
                return Number(number);
        }
    }

    private string OfSet(string[] command)
    {
        var key = command[1];
        if (_values.TryGetValue(key, out var value) && value is not SortedSet<string>)
        {
            return ReplyText.WrongType;
        }

        var set = new SortedSet<string>((SortedSet<string>?)value ?? [], StringComparer.Ordinal);
        var member = command[^1];
        switch (command[0])
        {
            case "SMEMBERS":
                return ReplyText.Array(set.Select(item => "$" + item));
            case "SISMEMBER":
                return Number(set.Contains(member) ? 1 : 0);
            case "SADD":
                if (!set.Add(member))
                {
                    return Number(0);
                }

                Put(key, set);
                return Number(1);
            case "SREM":
                if (!set.Remove(member))
                {
                    return Number(0);
                }

                PutOrRemove(key, set, set.Count);
                return Number(1);
            default:
                return Move(key, command[2], member, set, value != null);
        }
    }

    private string Move(string source, string target, string member, SortedSet<string> set, bool exists)
    {
        var held = _values.GetValueOrDefault(target);
        if (!exists)
        {
            return Number(0);
        }

        if (held is not null and not SortedSet<string>)
        {
            return ReplyText.WrongType;
        }

        if (source == target || !set.Remove(member))
        {
            return Number(set.Contains(member) ? 1 : 0);
        }

        PutOrRemove(source, set, set.Count);
        Put(target, new SortedSet<string>((SortedSet<string>?)held ?? [], StringComparer.Ordinal) { member });
        return Number(1);
    }

    private string OfList(string[] command)
    {
        var key = command[1];
        if (_values.TryGetValue(key, out var value) && value is not List<string>)
        {
            return ReplyText.WrongType;
        }

        var list = (List<string>?)value ?? [];
        switch (command[0])
        {
            case "LPUSH":
                PutList(key, [.. command.Skip(2).Reverse(), .. list]);
                return Number(list.Count + command.Length - 2);
            case "RPUSH":
                PutList(key, [.. list, .. command.Skip(2)]);
                return Number(list.Count + command.Length - 2);
            case "LLEN":
                return Number(list.Count);
            case "LRANGE":
                return ReplyText.Array(list.Select(item => "$" + item));
            case "RPOP":
                return Pop(key, list, fromLeft: false) is { } popped ? "$" + popped : ReplyText.Null;
            default:
                return MoveElement(command, list);
        }
    }

    private string MoveElement(string[] command, List<string> list)
    {
        var held = _values.GetValueOrDefault(command[2]);
        if (list.Count == 0)
        {
            return ReplyText.Null;
        }

        if (held is not null and not List<string>)
        {
            return ReplyText.WrongType;
        }

        var moved = Pop(command[1], list, command[3] == "LEFT")!;
        var target = (List<string>?)_values.GetValueOrDefault(command[2]) ?? [];
        PutList(command[2], command[4] == "LEFT" ? [moved, .. target] : [.. target, moved]);
        return "$" + moved;
    }

    private string? Pop(string key, List<string> list, bool fromLeft)
    {
        if (list.Count == 0)
        {
            return null;
        }

        PutList(key, fromLeft ? list[1..] : list[..^1]);
        return fromLeft ? list[0] : list[^1];
    }

    private static bool TryParse(string text, out long number)
        => long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);

    private static string Number(long value) => ":" + value.ToString(CultureInfo.InvariantCulture);

    private void PutList(string key, List<string> list) => PutOrRemove(key, list, list.Count);

    private void PutOrRemove(string key, object value, int count)
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

    private void Put(string key, object value)
    {
        _values[key] = value;
        Touch(key);
    }

    private bool Remove(string key)
    {
        var isRemoved = _values.Remove(key);
        if (isRemoved)
        {
            Touch(key);
        }

        return isRemoved;
    }

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
