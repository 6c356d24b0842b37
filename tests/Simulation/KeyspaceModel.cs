using System.Globalization;
using Strata.Tests.Simulation.Streams;

namespace Strata.Tests.Simulation;

/// <summary>One moment of a server that executes one command after the other: what a request does then.</summary>
/// <param name="state">What the server holds, which is changed.</param>
/// <param name="nowMs">The time, milliseconds since 1970. What expires by then is gone.</param>
internal sealed class KeyspaceModel(KeyspaceState state, long nowMs)
{
    /// <summary>Stands in the history where the server took a key away to make room. The number of its database
    /// follows, and a fourth word if its time had come anyway.</summary>
    public const string Evicted = "EVICTED";

    /// <summary>The times, from a request's sending to its reply, at which it might do different things: something has
    /// expired by then that had not before.</summary>
    public static IEnumerable<long> MomentsOf(Operation operation, KeyspaceState state)
    {
        var (fromMs, untilMs) = (operation.InvokedMs, operation.ReturnedMs);

        // A time that is set when it has come removes at once, and one that is set in the midst of a transaction is
        // over a millisecond later.
        var own = operation.Request.Commands.Select(SimulatedRequest.DeadlineIn).OfType<long>()
            .SelectMany(ms => new[] { ms, ms + 1 });
        return state.DeadlinesIn(fromMs, untilMs).Select(ms => ms + 1)
            .Concat(own.Where(ms => ms > fromMs && ms <= untilMs))
            .Prepend(fromMs).Distinct().Order();
    }

    /// <summary>Executes a request if it could have answered this.</summary>
    /// <param name="operation">The request.</param>
    /// <param name="mayRefuse">Whether memory or the disk may have been short.</param>
    /// <param name="refused">Which of several commands were refused, a bit each, where no reply tells.</param>
    /// <returns>False when it could not; what it has changed until then is of no use.</returns>
    public bool TryApply(Operation operation, bool mayRefuse, int refused = 0)
    {
        var reply = operation.Text;
        if (operation.Request.IsTransaction)
        {
            return TryApplyTransaction(operation, reply, mayRefuse, refused);
        }

        if (operation.Request.Script != null)
        {
            return (mayRefuse && reply != null && ReplyText.IsRefusal(reply))
                || (operation.AnswersEach && TryApplyAll(operation, mayRefuse, refused));
        }

        if (mayRefuse && reply != null && ReplyText.IsRefusal(reply))
        {
            return true;
        }

        var expected = Apply(operation.Client, operation.Request.Commands[0], reply);
        return reply == null ? expected != null : reply == expected;
    }

    private bool TryApplyTransaction(Operation operation, string? reply, bool mayRefuse, int refused)
    {
        state.Expire(nowMs);
        var isDirty = state.EndWatch(operation.Client);
        if (mayRefuse && reply != null && ReplyText.IsRefusal(reply))
        {
            return true;
        }

        if (isDirty == true || reply == ReplyText.Null)
        {
            return isDirty != false && (reply == null || reply == ReplyText.Null);
        }

        return TryApplyAll(operation, mayRefuse, refused);
    }

    private bool TryApplyAll(Operation operation, bool mayRefuse, int refused)
    {
        for (var i = 0; i < operation.Request.Commands.Count; i++)
        {
            var item = operation.Reply == null ? null : operation.Texts[i];
            if (item == null ? (refused & (1 << i)) != 0 : mayRefuse && ReplyText.IsRefusal(item))
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
        state.Expire(nowMs); // Also what a command before it, of the same transaction, gave a time that has come.
        switch (command[0])
        {
            case "WATCH":
                state.Watch(client, command[1]);
                return ReplyText.Ok;
            case "DEL":
                return Number(command.Skip(1).Count(state.Remove));
            case "EXISTS":
                return Number(command.Skip(1).Count(state.Has));
            case "MGET":
                return ReplyText.Array(command.Skip(1).Select(key =>
                    state.Get(key) is string text ? "$" + text : ReplyText.Null));
            case "MSET":
                return MultiSet(command);
            case "MSETNX":
                return state.Has(command[1]) || state.Has(command[3])
                    ? Number(0)
                    : MultiSet(command) == ReplyText.Ok ? Number(1) : null;
            case "SET":
                state.Replace(command[1], command[2], SimulatedRequest.DeadlineIn(command));
                return ReplyText.Ok;
            case "BLPOP":
                return BlockingPop(command, reply);
            case "BLMOVE":
                return BlockingMove(command, reply);
            case "FLUSHALL":
                state.Clear();
                return ReplyText.Ok;
            case "SWAPDB":
                state.Exchange();
                return ReplyText.Ok;
            case "PEXPIREAT" or "PERSIST" or "PEXPIRETIME":
                return OfDeadline(command);
            case "RENAME":
                return state.TryRename(command[1], command[2]) ? ReplyText.Ok : "-ERR";
            case Evicted:
                state.MarkChanged();
                return Evict(command) || command.Length > 3 ? ReplyText.Ok : null;
            default:
                return command[0][0] switch
                {
                    'G' or 'I' or 'A' => OfString(command),
                    'H' => OfHash(command),
                    'S' when command[0] == "STRLEN" => OfString(command),
                    'S' => OfSet(command),
                    'X' => new StreamModel(state).Apply(command, reply),
                    _ => OfList(command),
                };
        }
    }

    private bool Evict(string[] command)
        => command[2] == "0" ? state.Remove(command[1]) : state.RemoveOther(command[1]);

    private string OfDeadline(string[] command)
    {
        var key = command[1];
        if (!state.Has(key))
        {
            return Number(command[0] == "PEXPIRETIME" ? -2 : 0);
        }

        switch (command[0])
        {
            case "PEXPIREAT":
                ExpireAt(key, SimulatedRequest.DeadlineIn(command)!.Value);
                return Number(1);
            case "PEXPIRETIME":
                return Number(state.DeadlineOf(key) ?? -1);
            default:
                if (state.DeadlineOf(key) == null)
                {
                    return Number(0);
                }

                state.SetDeadline(key, null);
                return Number(1);
        }
    }

    /// <summary>Sets a key's deadline; one that has passed, or passes now, removes it.</summary>
    private void ExpireAt(string key, long deadlineMs)
    {
        if (deadlineMs <= nowMs)
        {
            _ = state.Remove(key);
        }
        else
        {
            state.SetDeadline(key, deadlineMs);
        }
    }

    private string MultiSet(string[] command)
    {
        for (var i = 1; i < command.Length; i += 2)
        {
            state.Replace(command[i], command[i + 1], null);
        }

        return ReplyText.Ok;
    }

    // One that waited until its time was over answers nil: at some moment none of its keys held a list.
    private string? BlockingPop(string[] command, string? reply)
    {
        var keys = command[1..^1];
        if (reply == ReplyText.Null)
        {
            return keys.Any(key => state.Get(key) is List<string>) ? null : reply;
        }

        if (keys.FirstOrDefault(state.Has) is not { } found)
        {
            // Of one whose reply nobody got, the time may have come.
            return reply == null && command[^1] != "0" ? ReplyText.Null : null;
        }

        if (state.Get(found) is not List<string> list)
        {
            return ReplyText.WrongType;
        }

        PutList(found, list[1..]);
        return ReplyText.Array(["$" + found, "$" + list[0]]);
    }

    // One that waited until its time was over answers nil: at some moment its key held no list.
    private string? BlockingMove(string[] command, string? reply)
    {
        var isAwaited = state.Get(command[1]) is List<string>;
        return !state.Has(command[1]) || (reply == ReplyText.Null && !isAwaited)
            ? reply == ReplyText.Null || (reply == null && command[^1] != "0") ? ReplyText.Null : null
            : OfList(command);
    }

    private string OfString(string[] command)
    {
        var key = command[1];
        var value = state.Get(key);
        if (value is not null and not string)
        {
            return ReplyText.WrongType;
        }

        var text = (string?)value;
        switch (command[0])
        {
            case "GET":
                return text == null ? ReplyText.Null : "$" + text;
            case "GETEX":
                if (text != null)
                {
                    ExpireAt(key, SimulatedRequest.DeadlineIn(command)!.Value);
                }

                return text == null ? ReplyText.Null : "$" + text;
            case "STRLEN":
                return Number(text?.Length ?? 0);
            case "APPEND":
                state.Put(key, text + command[2]);
                return Number((text + command[2]).Length);
            default:
                if (!TryParse(text ?? "0", out var number))
                {
                    return "-ERR";
                }

                state.Put(key, (number + 1).ToString(CultureInfo.InvariantCulture));
                return Number(number + 1);
        }
    }

    private string OfHash(string[] command)
    {
        var key = command[1];
        var value = state.Get(key);
        if (value is not null and not SortedDictionary<string, string>)
        {
            return ReplyText.WrongType;
        }

        var hash = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, content) in (SortedDictionary<string, string>?)value ?? [])
        {
            hash.Add(name, content);
        }

        var field = command[^1];
        switch (command[0])
        {
            case "HGET":
                return hash.TryGetValue(field, out var found) ? "$" + found : ReplyText.Null;
            case "HGETALL":
                return ReplyText.Array(hash.SelectMany(pair => new[] { "$" + pair.Key, "$" + pair.Value })
                    .Order(StringComparer.Ordinal));
            case "HDEL":
                return Number(TryRemoveField(key, hash, field) ? 1 : 0);
            case "HPEXPIREAT" or "HPEXPIRETIME":
                return OfFieldDeadline(command, hash);
            case "HSET":
                var isNew = !hash.ContainsKey(command[2]);
                hash[command[2]] = command[3];
                state.SetDeadline(key, command[2], null);
                state.Put(key, hash);
                return Number(isNew ? 1 : 0);
            default:
                var number = long.Parse(hash.GetValueOrDefault(command[2], "0"), CultureInfo.InvariantCulture) + 1;
                hash[command[2]] = number.ToString(CultureInfo.InvariantCulture);
                state.Put(key, hash);
                return Number(number);
        }
    }

    private string OfFieldDeadline(string[] command, SortedDictionary<string, string> hash)
    {
        var (key, field) = (command[1], command[^1]);
        if (!hash.ContainsKey(field))
        {
            return ReplyText.Array([Number(-2)]);
        }

        if (command[0] == "HPEXPIRETIME")
        {
            return ReplyText.Array([Number(state.DeadlineOf(key, field) ?? -1)]);
        }

        if (SimulatedRequest.DeadlineIn(command)!.Value <= nowMs)
        {
            _ = TryRemoveField(key, hash, field);
            return ReplyText.Array([Number(2)]);
        }

        state.SetDeadline(key, field, SimulatedRequest.DeadlineIn(command));
        state.Put(key, hash);
        return ReplyText.Array([Number(1)]);
    }

    private bool TryRemoveField(string key, SortedDictionary<string, string> hash, string field)
    {
        var isRemoved = hash.Remove(field);
        if (isRemoved)
        {
            state.SetDeadline(key, field, null);
            state.PutOrRemove(key, hash, hash.Count);
        }

        return isRemoved;
    }

    private string OfSet(string[] command)
    {
        var key = command[1];
        var value = state.Get(key);
        if (value is not null and not SortedSet<string>)
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

                state.Put(key, set);
                return Number(1);
            case "SREM":
                if (!set.Remove(member))
                {
                    return Number(0);
                }

                state.PutOrRemove(key, set, set.Count);
                return Number(1);
            default:
                return Move(key, command[2], member, set, value != null);
        }
    }

    private string Move(string source, string target, string member, SortedSet<string> set, bool exists)
    {
        var held = state.Get(target);
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

        state.PutOrRemove(source, set, set.Count);
        var grown = new SortedSet<string>((SortedSet<string>?)held ?? [], StringComparer.Ordinal);
        if (grown.Add(member))
        {
            state.Put(target, grown);
        }

        return Number(1);
    }

    private string OfList(string[] command)
    {
        var key = command[1];
        var value = state.Get(key);
        if (value is not null and not List<string>)
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
        var held = state.Get(command[2]);
        if (list.Count == 0)
        {
            return ReplyText.Null;
        }

        if (held is not null and not List<string>)
        {
            return ReplyText.WrongType;
        }

        if (command[1] == command[2])
        {
            // The list is never empty: it keeps its deadline.
            var (from, to) = (command[3] == "LEFT" ? 0 : list.Count - 1, command[4] == "LEFT" ? 0 : list.Count - 1);
            List<string> rotated = [.. list];
            rotated.RemoveAt(from);
            rotated.Insert(to, list[from]);
            state.Put(command[1], rotated);
            return "$" + list[from];
        }

        var moved = Pop(command[1], list, command[3] == "LEFT")!;
        var target = (List<string>?)state.Get(command[2]) ?? [];
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

    private void PutList(string key, List<string> list) => state.PutOrRemove(key, list, list.Count);
}
