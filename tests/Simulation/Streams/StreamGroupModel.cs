using System.Globalization;
using Strata.Storage.Collections.Streams;

namespace Strata.Tests.Simulation.Streams;

/// <summary>What commands do with groups and with what is pending in them.</summary>
/// <param name="state">What the server holds, which is changed.</param>
internal sealed class StreamGroupModel(KeyspaceState state)
{
    private const int UsualCount = 100;
    private const string NoGroup = "-NOGROUP";
    private const string Error = "-ERR";

    /// <summary>Executes a subcommand of XGROUP.</summary>
    /// <param name="command">Its words.</param>
    /// <param name="stream">The stream; null where there is none.</param>
    /// <returns>What it answers.</returns>
    public string ApplyToGroups(string[] command, StreamState? stream)
    {
        var (key, name) = (command[2], command[3]);
        if (command[1] == "CREATE")
        {
            return Create(command, stream);
        }

        if (stream == null)
        {
            return Error;
        }

        if (!stream.Groups.TryGetValue(name, out var group))
        {
            return command[1] == "DESTROY" ? StreamModel.Number(0) : NoGroup;
        }

        switch (command[1])
        {
            case "DESTROY":
                state.PutUnwatched(key, stream with { Groups = stream.Groups.Remove(name) });
                return StreamModel.Number(1);
            case "SETID":
                state.PutUnwatched(key, stream.With(name, group with { LastId = IdOf(command, stream), Read = null }));
                return ReplyText.Ok;
            case "CREATECONSUMER":
                return StreamReplyText.Any;
            default:
                var own = group.Pending.Where(entry => entry.Value.Consumer == command[4]).Select(entry => entry.Key);
                var left = group.Pending.RemoveRange(own);
                Put(key, name, stream, group with { Pending = left });
                return StreamModel.Number(group.Pending.Count - left.Count);
        }
    }

    /// <summary>Executes XACK, XCLAIM, XAUTOCLAIM or XPENDING.</summary>
    /// <inheritdoc cref="ApplyToGroups"/>
    public string ApplyToPending(string[] command, StreamState? stream)
    {
        var (key, name) = (command[1], command[2]);
        if (stream?.Groups.GetValueOrDefault(name) is not { } group)
        {
            return command[0] == "XACK" ? StreamModel.Number(0) : NoGroup;
        }

        switch (command[0])
        {
            case "XACK":
                var left = group.Pending.RemoveRange(command[3..].Select(StreamModel.Id));
                Put(key, name, stream, group with { Pending = left });
                return StreamModel.Number(group.Pending.Count - left.Count);
            case "XPENDING":
                return command.Length == 3 ? Summary(group) : List(command, group);
            case "XCLAIM":
                return Claim(command, stream, group);
            default:
                return ClaimAll(command, stream, group);
        }
    }

    private string Create(string[] command, StreamState? stream)
    {
        if (stream == null && command[^1] != "MKSTREAM")
        {
            return Error;
        }

        var isNew = stream == null;
        stream ??= new StreamState();
        if (stream.Groups.ContainsKey(command[3]))
        {
            return "-BUSYGROUP";
        }

        stream = stream.With(command[3], new GroupState { LastId = IdOf(command, stream) });
        if (isNew)
        {
            state.Put(command[2], stream);
        }
        else
        {
            state.PutUnwatched(command[2], stream);
        }

        return ReplyText.Ok;
    }

    private static StreamId IdOf(string[] command, StreamState stream)
        => command[4] == "$" ? stream.LastId : StreamModel.Id(command[4]);

    private static string Summary(GroupState group)
    {
        if (group.Pending.IsEmpty)
        {
            return ReplyText.Array([StreamModel.Number(0), ReplyText.Null, ReplyText.Null, ReplyText.Null]);
        }

        var consumers = group.Pending.GroupBy(entry => entry.Value.Consumer)
            .OrderBy(entries => entries.Key, StringComparer.Ordinal)
            .Select(entries => ReplyText.Array(["$" + entries.Key, $"${entries.Count()}"]));
        return ReplyText.Array(
            [StreamModel.Number(group.Pending.Count), StreamModel.Text(group.Pending.Keys.First()),
            StreamModel.Text(group.Pending.Keys.Last()), ReplyText.Array(consumers)]);
    }

    /// <summary>From the first to the last, perhaps of one consumer.</summary>
    private static string List(string[] command, GroupState group)
        => ReplyText.Array(group.Pending
            .Where(entry => command.Length == 6 || entry.Value.Consumer == command[6])
            .Take(int.Parse(command[5], CultureInfo.InvariantCulture))
            .Select(entry => ReplyText.Array([
                StreamModel.Text(entry.Key), "$" + entry.Value.Consumer,
                StreamModel.Number(entry.Value.Deliveries),
            ])));

    /// <summary>Options stand behind the ids; no entry need have been idle.</summary>
    private string Claim(string[] command, StreamState stream, GroupState group)
    {
        var ids = command[5..].TakeWhile(word => char.IsAsciiDigit(word[0])).Select(StreamModel.Id);
        var (isForced, isJustId) = (command.Contains("FORCE"), command.Contains("JUSTID"));
        var retries = Array.IndexOf(command, "RETRYCOUNT");
        long? given = retries < 0 ? null : long.Parse(command[retries + 1], CultureInfo.InvariantCulture);
        var claimed = new List<string>();
        foreach (var id in ids)
        {
            var isPending = group.Pending.TryGetValue(id, out var pending);
            if (!stream.Entries.TryGetValue(id, out var fields))
            {
                group = group with { Pending = group.Pending.Remove(id) };
            }
            else if (isPending || isForced)
            {
                var deliveries = given ?? ((isPending ? pending.Deliveries : 1) + (isJustId ? 0 : 1));
                claimed.Add(isJustId ? StreamModel.Text(id) : StreamModel.Entry(id, fields));
                group = Given(group, id, command[3], deliveries);
            }
        }

        Put(command[1], command[2], stream, group);
        return ReplyText.Array(claimed);
    }

    /// <summary>XAUTOCLAIM key group consumer 0 start [COUNT count] [JUSTID]</summary>
    private string ClaimAll(string[] command, StreamState stream, GroupState group)
    {
        var isJustId = command[^1] == "JUSTID";
        var left = command.Length > 6 && command[6] == "COUNT"
            ? int.Parse(command[7], CultureInfo.InvariantCulture)
            : UsualCount;
        var (claimed, deleted, next) = (new List<string>(), new List<string>(), default(StreamId));
        foreach (var (id, pending) in group.Pending.Where(entry => entry.Key >= StreamModel.Id(command[5])))
        {
            if (left-- == 0)
            {
                next = id;
                break;
            }

            if (!stream.Entries.TryGetValue(id, out var fields))
            {
                deleted.Add(StreamModel.Text(id));
                group = group with { Pending = group.Pending.Remove(id) };
                continue;
            }

            claimed.Add(isJustId ? StreamModel.Text(id) : StreamModel.Entry(id, fields));
            group = Given(group, id, command[3], pending.Deliveries + (isJustId ? 0 : 1));
        }

        Put(command[1], command[2], stream, group);
        return ReplyText.Array([StreamModel.Text(next), ReplyText.Array(claimed), ReplyText.Array(deleted)]);
    }

    private void Put(string key, string name, StreamState stream, GroupState group)
    {
        if (stream.Groups[name].Pending != group.Pending)
        {
            state.PutUnwatched(key, stream.With(name, group));
        }
    }

    private static GroupState Given(GroupState group, StreamId id, string consumer, long deliveries)
        => group with { Pending = group.Pending.SetItem(id, new PendingState(consumer, deliveries)) };
}
