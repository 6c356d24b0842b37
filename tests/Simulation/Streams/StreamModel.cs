using System.Globalization;
using Strata.Storage.Collections.Streams;

namespace Strata.Tests.Simulation.Streams;

/// <summary>What commands on streams do with what a server holds, as <see cref="KeyspaceModel"/> has it for the others.
/// </summary>
/// <param name="state">What the server holds, which is changed.</param>
internal sealed class StreamModel(KeyspaceState state)
{
    private const string NoGroup = "-NOGROUP";
    private const string Error = "-ERR";

    /// <summary>Executes a command.</summary>
    /// <param name="command">Its words.</param>
    /// <param name="reply">What was answered; null where nobody knows.</param>
    /// <returns>What it answers; null when it would wait.</returns>
    public string? Apply(string[] command, string? reply)
    {
        if (command[0] is "XREAD" or "XREADGROUP")
        {
            return new StreamReading(state, StreamReadRequest.Of(command)).Apply(reply);
        }

        var key = command[0] is "XGROUP" or "XINFO" ? command[2] : command[1];
        var value = state.Get(key);
        if (value is not null and not StreamState)
        {
            return ReplyText.WrongType;
        }

        var stream = (StreamState?)value;
        return command[0] switch
        {
            "XADD" => Add(key, stream, command),
            "XGROUP" => new StreamGroupModel(state).ApplyToGroups(command, stream),
            "XINFO" => stream == null ? Error : Tell(stream, command),
            "XLEN" => Number(stream?.Entries.Count ?? 0),
            "XRANGE" => Range(stream ?? new StreamState(), command),
            "XDEL" => Delete(key, stream, command),
            "XTRIM" => Trim(key, stream, command),
            _ => new StreamGroupModel(state).ApplyToPending(command, stream),
        };
    }

    /// <summary>Entries as they are answered.</summary>
    public static string Entries(IEnumerable<KeyValuePair<StreamId, string>> entries)
        => ReplyText.Array(entries.Select(entry => Entry(entry.Key, entry.Value)));

    /// <summary>An entry as it is answered.</summary>
    public static string Entry(StreamId id, string fields) => ReplyText.Array([Text(id), fields]);

    /// <summary>An id as it is answered.</summary>
    public static string Text(StreamId id) => "$" + StreamState.Text(id);

    /// <summary>The id that a word is. Where it has no second number that is 0.</summary>
    public static StreamId Id(string word)
    {
        var parts = word.Split('-');
        return new StreamId(Parse(parts[0]), parts.Length > 1 ? Parse(parts[1]) : 0);

        static ulong Parse(string text) => ulong.Parse(text, CultureInfo.InvariantCulture);
    }

    /// <summary>A number as it is answered.</summary>
    public static string Number(long? value)
        => value is { } number ? ":" + number.ToString(CultureInfo.InvariantCulture) : ReplyText.Null;

    private string Add(string key, StreamState? stream, string[] command)
    {
        var at = 2;
        if (command[at] == "NOMKSTREAM")
        {
            at++;
            if (stream == null)
            {
                return ReplyText.Null;
            }
        }

        var trim = command[at] is "MAXLEN" or "MINID" ? command[at..(at += 2)] : null;
        stream ??= new StreamState();
        var parts = command[at].Split('-');
        var id = parts[1] == "*" ? new StreamId(Id(parts[0]).Ms, 0) : Id(command[at]);
        if (parts[1] == "*" && id.Ms == stream.LastId.Ms)
        {
            id = new StreamId(id.Ms, stream.LastId.Seq + 1);
        }

        if (id <= stream.LastId)
        {
            return Error;
        }

        var fields = ReplyText.Array(command[(at + 1)..].Select(word => "$" + word));
        stream = stream with { Entries = stream.Entries.Add(id, fields), LastId = id, Added = stream.Added + 1 };
        state.Put(key, trim == null ? stream : Trimmed(stream, trim));
        return Text(id);
    }

    private string Trim(string key, StreamState? stream, string[] command)
    {
        if (stream == null)
        {
            return Number(0);
        }

        var trimmed = Trimmed(stream, command[2..]);
        var gone = stream.Entries.Count - trimmed.Entries.Count;
        if (gone > 0)
        {
            state.Put(key, trimmed);
        }

        return Number(gone);
    }

    private static StreamState Trimmed(StreamState stream, string[] how)
        => how[0] == "MAXLEN"
            ? stream.Trimmed(int.Parse(how[1], CultureInfo.InvariantCulture))
            : stream.Trimmed(Id(how[1]));

    private string Delete(string key, StreamState? stream, string[] command)
    {
        var deleted = command[2..].Select(Id).Distinct().Where(id => stream?.Entries.ContainsKey(id) == true).ToList();
        if (deleted.Count > 0)
        {
            state.Put(key, stream! with
            {
                Entries = stream.Entries.RemoveRange(deleted),
                MaxDeletedId = deleted.Append(stream.MaxDeletedId).Max(),
            });
        }

        return Number(deleted.Count);
    }

    /// <summary>Ends are - and +, or ids, of which the lower one may have ( before it.</summary>
    private static string Range(StreamState stream, string[] command)
    {
        var (low, high) = (command[2], command[3]);
        var count = command.Length > 5 ? int.Parse(command[5], CultureInfo.InvariantCulture) : int.MaxValue;
        return Entries(stream.Entries
            .Where(entry => low == "-" || (low[0] == '(' ? entry.Key > Id(low[1..]) : entry.Key >= Id(low)))
            .Where(entry => high == "+" || entry.Key <= Id(high))
            .Take(count));
    }

    private static string Tell(StreamState stream, string[] command) => command[1] switch
    {
        "GROUPS" => ReplyText.Array(stream.Groups.Select(pair => ReplyText.Array(
            ["$name", "$" + pair.Key, "$pending", Number(pair.Value.Pending.Count), "$last-delivered-id",
            Text(pair.Value.LastId), "$entries-read", Number(pair.Value.Read), "$lag",
            Number(stream.LagOf(pair.Value))]))),
        "CONSUMERS" => stream.Groups.ContainsKey(command[3]) ? StreamReplyText.Any : NoGroup,
        _ => ReplyText.Array(
            ["$length", Number(stream.Entries.Count), "$last-generated-id", Text(stream.LastId),
            "$max-deleted-entry-id", Text(stream.MaxDeletedId), "$entries-added", Number(stream.Added),
            "$recorded-first-entry-id", Text(stream.FirstId), "$groups", Number(stream.Groups.Count),
            "$first-entry", Edge(stream.Entries.Take(1)), "$last-entry", Edge(stream.Entries.Reverse().Take(1))]),
    };

    private static string Edge(IEnumerable<KeyValuePair<StreamId, string>> entries)
        => entries.Select(entry => Entry(entry.Key, entry.Value)).FirstOrDefault(ReplyText.Null);
}
