using System.Text;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Clients a to d of one server, and what they are told beside their replies.</summary>
internal sealed class TrackingClients : IDisposable
{
    // An end of a turn has nothing to do with the next command's reply, and what is redirected takes another turn.
    private const int Rounds = 3;

    // Numbers of clients are to be like no other number.
    private const int ClientsBefore = 300;

    private readonly Dictionary<string, RespConnection> _clients = [];
    private readonly Dictionary<string, string> _ids = [];

    public TrackingClients(ServerProcess server)
    {
        for (var i = 0; i < ClientsBefore; i++)
        {
            server.Connect().Dispose();
        }

        foreach (var name in (string[])["a", "b", "c", "d"])
        {
            _clients[name] = server.Connect();
            _ids[name] = _clients[name].Call("CLIENT", "ID").Text;
        }
    }

    /// <summary>Whether it does not matter what is told together, how often and in which order: what a worker changes
    /// others may tell of in several turns.</summary>
    public bool TellsApart { get; set; }

    /// <summary>Executes a command, and says what was answered, and whatever any client is told by then.</summary>
    /// <param name="line">The client's name, and the command with single blanks; <c>$b</c> is another's number.</param>
    public string Do(string line)
    {
        var words = line.Split(' ');
        var command = words[1..]
            .Select(word => word.StartsWith('$') ? _ids[word[1..]] : word);
        var text = new StringBuilder();
        _clients[words[0]].Send([.. command]);
        Read(words[0], text, isEnd: static _ => true);
        if (words[1] == "HELLO")
        {
            text.Clear(); // It tells the servers apart.
        }

        if (words[1] == "QUIT")
        {
            _clients.Remove(words[0], out var gone);
            _ = gone!.ReadToEnd();
            gone.Dispose();
            Patience.Await(() => IsGone(words[0])); // Its worker has yet to notice.
        }

        for (var round = 0; round < Rounds; round++)
        {
            foreach (var (name, client) in _clients)
            {
                client.Send("PING", "mark");
                Read(name, text, IsMark, isMark: true);
            }
        }

        var told = TellsApart
            ? string.Join('\n', text.ToString().Split('\n').SelectMany(Apart).Distinct().Order(StringComparer.Ordinal))
            : text.ToString();
        foreach (var (name, id) in _ids)
        {
            told = told.Replace($" {id}", $" ${name}", StringComparison.Ordinal);
        }

        return told;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var client in _clients.Values)
        {
            client.Dispose();
        }
    }

    /// <summary>A line for each key that a client is told of.</summary>
    private static IEnumerable<string> Apart(string line)
    {
        const string Keys = "invalidate Array(";
        var place = line.IndexOf(Keys, StringComparison.Ordinal);
        return place < 0 || !line.Contains(" is told ", StringComparison.Ordinal)
            ? [line]
            : line[(place + Keys.Length)..].TrimEnd(')').Split(" BulkString ").Skip(1)
                .Select(key => $"{line[..place]} {key}");
    }

    private bool IsGone(string name) => _clients["b"].Call("CLIENT", "LIST", "ID", _ids[name]).Text.Length == 0;

    private static bool IsMark(string reply)
        => reply.Contains("mark", StringComparison.Ordinal) || reply.Contains("QUEUED", StringComparison.Ordinal);

    private static bool IsTold(RespValue reply)
        => reply.Kind == RespKind.Push
            || (reply.Kind == RespKind.Array && reply.Items.Count == 3 && reply.Items[0].Text == "message");

    private void Read(string name, StringBuilder text, Func<string, bool> isEnd, bool isMark = false)
    {
        while (true)
        {
            var reply = _clients[name].ReadReply();
            var words = Words(reply);
            var isReply = !IsTold(reply) || reply.Items[0].Text == "subscribe";
            if (!isMark || !isEnd(words))
            {
                text.Append(name).Append(isReply ? " is answered" : " is told").Append(words).Append('\n');
            }

            if (isReply && isEnd(words))
            {
                return;
            }
        }
    }

    /// <summary>A reply by kinds and texts. Numbers that Redis draws are left out.</summary>
    private static string Words(RespValue value)
        => value.IsAggregate
            ? $" {value.Kind}({string.Concat(value.Items.Select(Words))})"
            : value.Text.Contains('-') && char.IsAsciiDigit(value.Text[0]) ? " entry" : $" {value.Kind} {value.Text}";
}
